import { statSync } from 'node:fs'
import type { EntryInput, MemoryStore } from 'unforget'
import { alternate, timeEach } from '../measure.ts'
import { type Bench, type Measured, type Row, rowGroup, timesTheTime } from '../row.ts'
import { settleLog } from '../settle-log.ts'
import { makeTurns } from '../turns.ts'
import { openMemory } from '../unforget.ts'

interface Fixture {
  readonly bench: Bench
  readonly kept: MemoryStore
  readonly cut: MemoryStore
  readonly figures: Measured['figures']
}

const session = 'user-42'
const batch = 500

/**
 * A record after each turn stays when the turns are trimmed, so the path has a range for each: the longest path that trimming makes. The other
 * file was trimmed with `records: 'cut'`.
 */
export const keptRecordsGroup = rowGroup<Fixture>(
  async (bench) => {
    const files = { kept: bench.freshFile('records-kept.db'), cut: bench.freshFile('records-cut.db') }
    const turns = bench.size(10_000, 200)
    const kept = await writeAndTrim(files.kept, turns, 'keep')
    const cut = await writeAndTrim(files.cut, turns, 'cut')
    const figures = [
      { name: 'trimming', value: kept.milliseconds, unit: 'ms' },
      { name: 'trimming with records: cut', value: cut.milliseconds, unit: 'ms' },
      { name: 'what trimming added to the file', value: kept.bytes, unit: 'bytes' },
      { name: 'ranges of the path', value: kept.ranges, unit: 'ranges' },
    ]
    const opened = { kept: await openMemory(`sqlite:${files.kept}`), cut: await openMemory(`sqlite:${files.cut}`) }
    for (const memory of Object.values(opened)) await settleLog(memory, bench.size(1200, 10))
    return { bench, ...opened, figures }
  },
  async ({ kept, cut }) => {
    await kept.close()
    await cut.close()
  },
  [
    versusCut('append-kept-records', 'append after trimming 10,000 turns with a record after each', (memory, times) =>
      timeEach(times, () => memory.addMessages(session, makeTurns(1))),
    ),
    versusCut('history-kept-records', 'getHistory last 50 after the same', (memory, times) =>
      timeEach(times, () => memory.getHistory(session, { last: 50 })),
    ),
  ],
)

function versusCut(
  name: string,
  what: string,
  operate: (memory: MemoryStore, times: number) => Promise<number>,
): Row<Fixture> {
  return {
    name,
    what,
    baseline: 'trimmed with records: cut',
    async measure({ bench, kept, cut, figures }) {
      const times = bench.size(5, 2)
      const rounds = await alternate(
        () => operate(kept, times),
        () => operate(cut, times),
        { warmUp: bench.size(3, 1), rounds: bench.size(30, 3), parts: bench.size(4, 2) },
      )
      const measured = timesTheTime(rounds, 'records kept', 'records cut')
      return { ...measured, figures: [...measured.figures, ...figures] }
    },
  }
}

async function writeAndTrim(file: string, turns: number, records: 'keep' | 'cut') {
  const memory = await openMemory(`sqlite:${file}`)
  for (let from = 0; from < turns; from += batch) {
    await memory.addEntries(session, withRecords(Math.min(batch, turns - from), from))
  }
  await memory.saveSnapshot(session)
  await memory.close()
  const before = statSync(file).size
  const again = await openMemory(`sqlite:${file}`)
  const milliseconds = await timeEach(1, () => again.trim(session, { maxEntries: 100, records }))
  const ranges = (await again.paths(session))?.epochs.find(({ present }) => present)?.ranges.length ?? 0
  await again.close()
  return { milliseconds, bytes: statSync(file).size - before, ranges }
}

function withRecords(count: number, from: number): EntryInput[] {
  return makeTurns(count, from).flatMap((message, index) => [
    { kind: 'message' as const, message },
    { kind: 'record' as const, record: { type: 'state', step: from + index } },
  ])
}
