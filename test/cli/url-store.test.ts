import { expect, test } from 'vitest'
import { storeFor, urlStoreModule } from '../../src/cli/prove/url.store.ts'

test.each(['memory:', 'sqlite::memory:', 'sqlite:x.db'])(
  '%s is proved as itself on runtimes that keep one module, whatever the query of its URL',
  async (url) => {
    expect((await storeFor(urlStoreModule(url))).name).toBe(url)
  },
)
