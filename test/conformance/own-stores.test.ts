import { describeStore } from 'unforget/conformance/vitest'
import { urlStoreModule } from '../../src/cli/url.store.ts'

for (const url of ['memory:', 'sqlite:', 'sqlite::memory:']) describeStore(urlStoreModule(url), { deadline: 60_000 })
