import { describeStore } from './built-describe-store.ts'
import { urlStoreModule } from './built-kit.ts'
import { quickLevels } from './own-levels.ts'

describeStore(urlStoreModule('memory:'), { deadline: 60_000 })
describeStore(urlStoreModule('sqlite:'), { levels: quickLevels, deadline: 60_000 })
