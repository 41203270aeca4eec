import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MemoryStore, type OpenOptions, openMemory } from 'unforget'
import { describe, test } from 'vitest'
import { allCases } from './all-cases.ts'

const urls = {
  memory: () => 'memory:',
  sqlite: (folder: string, number: number) => `sqlite:${join(folder, `${number}.db`)}`,
  'sqlite in memory': () => 'sqlite::memory:',
}

describe.each(Object.entries(urls))('%s', (_name, urlOf) => {
  test.each(allCases.map((one) => [one.clause, one.title, one] as const))('%s: %s', async (_clause, _title, one) => {
    const folder = await mkdtemp(join(tmpdir(), 'unforget-'))
    const opened: MemoryStore[] = []
    const open = async (options?: OpenOptions) => {
      const store = await openMemory(urlOf(folder, opened.length), options)
      opened.push(store)
      return store
    }
    try {
      await one.run({ store: await open(), open })
    } finally {
      await Promise.all(opened.map((store) => store.close()))
      await rm(folder, { recursive: true, force: true })
    }
  })
})
