import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { postgresServer, redisServer } from '../../src/testing/servers/index.ts'
import { finish } from '../support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const count = 1000
const megabytes = 4
const heap = 512
const child = fileURLToPath(new URL('./children/page-large-turns.ts', import.meta.url))
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index)

/** Where the session lies, and the heap of the process: memory keeps what it holds in that heap. */
const places: [name: string, heap: number, open: () => Promise<string>][] = [
  ['memory', heap + count * megabytes, async () => 'memory:'],
  ['sqlite', heap, async () => `sqlite:${join(await temporaryFolder(), 'agent.db')}`],
  ['redis', heap, () => urlOf(redisServer({ own: true }))],
  ['postgres', heap, () => urlOf(postgresServer({ own: true }))],
]

async function urlOf(starting: Promise<{ readonly url: string; stop(): Promise<void> }>): Promise<string> {
  const server = await starting
  onTestFinished(() => server.stop())
  return server.url
}

test.each(places)(
  `%s: ${count} turns of ${megabytes} MB are paged, viewed, verified, trimmed and swept within a heap of %i MB`,
  async (_, megabytesOfHeap, open) => {
    const argument = JSON.stringify({ url: await open(), count, megabytes })
    const options = [`--max-old-space-size=${megabytesOfHeap}`, child, argument]
    const process_ = spawn(process.execPath, options, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    onTestFinished(() => void process_.kill('SIGKILL'))
    const { messages, code } = await finish(process_)
    expect(code).toBe(0)
    expect(messages).toEqual([
      {
        backwards: upTo(count),
        forwards: upTo(count),
        whole: count,
        view: upTo(count, count - 9),
        verified: { ok: true, entries: count },
        removed: count - 10,
        sweepable: 0,
        left: upTo(count, count - 9),
      },
    ])
  },
  1_800_000,
)
