import { describeStore } from './built-describe-store.ts'
import { urlStoreModule } from './built-kit.ts'

describeStore(urlStoreModule('sqlite::memory:'), { deadline: 60_000 })
