import { describeStore } from './built-describe-store.ts'
import { urlStoreModule } from './built-kit.ts'

for (const url of ['memory:', 'sqlite:']) describeStore(urlStoreModule(url), { deadline: 60_000 })
