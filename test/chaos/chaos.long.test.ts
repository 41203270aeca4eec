import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { PartRun } from '../../chaos/report/results.ts'

const run = promisify(execFile)
const chaos = fileURLToPath(new URL('../../chaos/chaos.ts', import.meta.url))
const parts = ['sqlite', 'redis', 'cluster', 'postgres', 'kills', 'power', 'io', 'failovers', 'promotions']

test('a short run of everything finds nothing', async () => {
  const { stdout } = await run(
    process.execPath,
    [chaos, '--only', parts.join(), '--minutes', '1.2', '--most', '40', '--json'],
    { maxBuffer: 2 ** 26 },
  )
  const { runs } = JSON.parse(stdout) as { runs: PartRun[] }
  expect(runs.map(({ part }) => part)).toEqual(parts)
  expect(runs.flatMap(({ problems }) => problems)).toEqual([])
  for (const { part, figures } of runs) {
    const [first] = Object.values(figures)
    expect(first, part).toBeGreaterThan(0)
  }
})

test('what is wrong with the command line is told in one line, with exit code 2', async () => {
  const wrong = run(process.execPath, [chaos, '--only', 'nothing'])
  await expect(wrong).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("chaos: there is no part 'nothing'; --list names them\n"),
  })
})
