import { describeStore } from './built-describe-store.ts'
import { urlStoreModule } from './built-kit.ts'
import { longLevels } from './own-levels.ts'

describeStore(urlStoreModule('sqlite:'), { levels: longLevels, deadline: 60_000 })
describeStore(urlStoreModule('sqlite::memory:'), { deadline: 60_000 })
