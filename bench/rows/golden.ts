import assert from 'node:assert/strict'
import { mkdirSync, rmSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { diffGoldens, freeze, openSnapshotDb, stopFreezer } from '../golden.ts'
import { bareCapture, bareCopy, bareDifference, changeTurn, writeTurns } from '../golden-files.ts'
import { alternate, timeEach, timeEachSync } from '../measure.ts'
import { type Bench, rowGroup, timesTheTime } from '../row.ts'

interface Fixture {
  readonly bench: Bench
  readonly folder: string
}

const turnsPerMegabyte = 1850

export const goldenGroup = rowGroup<Fixture>(
  async (bench) => {
    const folder = bench.freshFile('goldens')
    mkdirSync(folder)
    Object.assign(process.env, { CI: '', SNAPSHOT_UPDATE: 'new' })
    return { bench, folder }
  },
  () => stopFreezer(),
  [
    {
      name: 'golden-equal',
      what: 'golden test on 1 MB that ends as its golden says',
      baseline: 'copyFile and VACUUM INTO',
      async measure({ bench, folder }) {
        const start = path.join(folder, 'start.sqlite')
        const seed = (file: string) => writeTurns(file, bench.size(turnsPerMegabyte, 50))
        await timeGoldenTest(folder, seed)
        const rounds = await alternate(
          () => timeGoldenTest(folder, seed),
          () => timeBareCopies(bench, start),
          { warmUp: bench.size(10, 1), rounds: bench.size(30, 3), parts: bench.size(4, 2) },
        )
        return timesTheTime(rounds, 'golden test', 'bare')
      },
    },
    {
      name: 'golden-diff',
      what: 'diff of two goldens of 50 MB, one row changed',
      baseline: 'a bare SQL comparison of the two files',
      async measure({ bench, folder }) {
        const [before, after] = await makePair(folder, bench.size(50 * turnsPerMegabyte, 50))
        const rounds = await alternate(
          () => timeDiff(before, after),
          () => timeEachSync(1, () => assert.deepEqual(bareDifference(before, after), [7])),
          { warmUp: bench.size(2, 1), rounds: bench.size(15, 3), parts: bench.size(2, 1) },
        )
        return timesTheTime(rounds, 'diff', 'bare SQL')
      },
    },
  ],
)

/** All but what the test itself does. */
async function timeGoldenTest(folder: string, seed: (file: string) => void): Promise<number> {
  const options = { golden: 'start.sqlite', seed, testFile: path.join(folder, 'bench.test.ts') }
  let began = performance.now()
  const db = await openSnapshotDb({ ...options, testName: 'bench', testId: 'bench' })
  const opening = performance.now() - began
  changeTurn(db.path)
  began = performance.now()
  const { error } = await db.finish({ passed: true })
  const finishing = performance.now() - began
  assert.equal(error, null)
  return opening + finishing
}

function timeBareCopies(bench: Bench, start: string): number {
  const [copy, target] = [bench.freshFile('copy.db'), bench.freshFile('captured.db')]
  const copying = timeEachSync(1, () => bareCopy(start, copy))
  changeTurn(copy)
  const capturing = timeEachSync(1, () => bareCapture(copy, target))
  for (const file of [copy, target]) rmSync(file)
  return copying + capturing
}

async function makePair(folder: string, turns: number): Promise<[before: string, after: string]> {
  const source = path.join(folder, 'source.db')
  const before = path.join(folder, 'before.sqlite')
  const after = path.join(folder, 'after.sqlite')
  writeTurns(source, turns)
  await freeze(source, before)
  changeTurn(source)
  await freeze(source, after)
  rmSync(source)
  return [before, after]
}

/** Of a state that is new each time, as in a test, so that nothing is known of it from the diff before. */
function timeDiff(before: string, after: string): Promise<number> {
  const now = Date.now() / 1000
  utimesSync(after, now, now)
  return timeEach(1, () => {
    const { tables } = diffGoldens(before, after)
    assert.deepEqual(
      tables.map(({ table, changed, removed, added }) => [table, changed, removed, added]),
      [['turns', 1, 0, 0]],
    )
  })
}
