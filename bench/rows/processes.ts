import assert from 'node:assert/strict'
import type { MemoryStore } from 'unforget'
import { spreadOf } from '../measure.ts'
import { type Bench, type Measured, rowGroup } from '../row.ts'
import { openMemory } from '../unforget.ts'
import type { Outcome } from '../writer-process.ts'
import { Writers } from '../writers.ts'

interface Fixture {
  readonly memory: MemoryStore
  readonly writers: Writers
  /** Both rows are about the same rounds, which are run once. */
  readonly rounds: () => Promise<Rounds>
}

interface Rounds {
  readonly alone: readonly Outcome[][]
  readonly together: readonly Outcome[][]
  readonly seconds: number
}

const session = 'user-42'
const processes = 8

export const processesGroup = rowGroup<Fixture>(
  async (bench) => {
    const url = `sqlite:${bench.freshFile('processes.db')}`
    const writers = await Writers.start(Array.from({ length: processes }, () => ({ url, session })))
    const memory = await openMemory(url)
    let rounds: Promise<Rounds> | undefined
    return { memory, writers, rounds: () => (rounds ??= write(bench, memory, writers)) }
  },
  async ({ memory, writers }) => {
    await writers.end()
    await memory.close()
  },
  [
    {
      name: 'processes',
      what: '8 processes appending to one session',
      baseline: 'one process',
      measure: async ({ rounds }) => throughputOf(await rounds()),
    },
    {
      name: 'processes-fairness',
      what: 'the fewest commits of the 8 processes',
      baseline: 'the most commits of one of them',
      measure: async ({ rounds }) => fairnessOf(await rounds()),
    },
  ],
)

async function write(bench: Bench, memory: MemoryStore, writers: Writers): Promise<Rounds> {
  const milliseconds = bench.size(1500, 150)
  const order = { milliseconds, callers: 1, sessions: 1 }
  const alone: Outcome[][] = []
  const together: Outcome[][] = []
  const writeAlone = async () => alone.push(await writers.write(1, order))
  const writeTogether = async () => together.push(await writers.write(processes, order))
  for (let round = 0; round <= bench.size(11, 1); round++) {
    for (const write of round % 2 === 0 ? [writeAlone, writeTogether] : [writeTogether, writeAlone]) await write()
  }
  await requireAll(memory, [...alone, ...together].flat())
  return { alone: alone.slice(1), together: together.slice(1), seconds: milliseconds / 1000 }
}

function throughputOf({ alone, together, seconds }: Rounds): Measured {
  const perSecond = (outcomes: Outcome[]) => commitsOf(outcomes) / seconds
  const longestBlock = (rounds: readonly Outcome[][]) =>
    Math.max(...rounds.flat().map((outcome) => outcome.longestBlock))
  return {
    rounds: together.length,
    ratio: spreadOf(together.map((outcomes, round) => perSecond(outcomes) / perSecond(alone[round] ?? []))),
    figures: [
      { name: '8 processes', value: spreadOf(together.map(perSecond)).median, unit: 'commits/s' },
      { name: 'one process', value: spreadOf(alone.map(perSecond)).median, unit: 'commits/s' },
      { name: 'longest event-loop block of 8', value: longestBlock(together), unit: 'ms' },
      { name: 'longest event-loop block of one', value: longestBlock(alone), unit: 'ms' },
    ],
  }
}

function fairnessOf({ together, seconds }: Rounds): Measured {
  const counts = together.map((outcomes) => outcomes.map(({ commits }) => commits / seconds))
  const fewest = counts.map((each) => Math.min(...each))
  const most = counts.map((each) => Math.max(...each))
  return {
    rounds: together.length,
    ratio: spreadOf(fewest.map((few, round) => few / (most[round] ?? Number.NaN))),
    figures: [
      { name: 'the slowest process', value: spreadOf(fewest).median, unit: 'commits/s' },
      { name: 'the fastest', value: spreadOf(most).median, unit: 'commits/s' },
    ],
  }
}

/** A throughput counts only if all of it was kept. */
async function requireAll(memory: MemoryStore, outcomes: Outcome[]): Promise<void> {
  const info = await memory.sessionInfo(session)
  assert.equal(info?.entries, commitsOf(outcomes))
}

function commitsOf(outcomes: Outcome[]): number {
  return outcomes.reduce((sum, { commits }) => sum + commits, 0)
}
