import assert from 'node:assert/strict'
import type { MemoryStore } from 'unforget'
import { spreadOf } from '../measure.ts'
import { type Bench, type Measured, rowGroup } from '../row.ts'
import { openMemory } from '../unforget.ts'
import type { Outcome } from '../writer-process.ts'
import { Writers } from '../writers.ts'

interface Fixture {
  readonly bench: Bench
  readonly memory: MemoryStore
  readonly writers: Writers
}

const session = 'user-42'
const processes = 8

export const processesGroup = rowGroup<Fixture>(
  async (bench) => {
    const url = `sqlite:${bench.freshFile('processes.db')}`
    const writers = await Writers.start(Array.from({ length: processes }, () => ({ url, session })))
    return { bench, memory: await openMemory(url), writers }
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
      bar: { atLeast: 0.85 },
      async measure({ bench, memory, writers }) {
        const milliseconds = bench.size(1500, 150)
        const order = { milliseconds, callers: 1, sessions: 1 }
        const alone: Outcome[][] = []
        const together: Outcome[][] = []
        const writeAlone = async () => alone.push(await writers.write(1, order))
        const writeTogether = async () => together.push(await writers.write(processes, order))
        for (let round = 0; round <= bench.size(7, 1); round++) {
          for (const write of round % 2 === 0 ? [writeAlone, writeTogether] : [writeTogether, writeAlone]) await write()
        }
        await requireAll(memory, [...alone, ...together].flat())
        return summarize(alone.slice(1), together.slice(1), milliseconds / 1000)
      },
    },
  ],
)

function summarize(alone: Outcome[][], together: Outcome[][], seconds: number): Measured {
  const perSecond = (outcomes: Outcome[]) => commitsOf(outcomes) / seconds
  const fairness = together.map((outcomes) => {
    const counts = outcomes.map(({ commits }) => commits)
    return Math.min(...counts) / Math.max(...counts)
  })
  const longestBlock = (rounds: Outcome[][]) => Math.max(...rounds.flat().map((outcome) => outcome.longestBlock))
  return {
    rounds: together.length,
    ratio: spreadOf(together.map((outcomes, round) => perSecond(outcomes) / perSecond(alone[round] ?? []))),
    figures: [
      { name: '8 processes', value: spreadOf(together.map(perSecond)).median, unit: 'commits/s' },
      { name: 'one process', value: spreadOf(alone.map(perSecond)).median, unit: 'commits/s' },
      { name: 'fairness (fewest commits / most), median', value: spreadOf(fairness).median, unit: '' },
      { name: 'fairness, worst round', value: Math.min(...fairness), unit: '' },
      { name: 'longest event-loop block of 8', value: longestBlock(together), unit: 'ms' },
      { name: 'longest event-loop block of one', value: longestBlock(alone), unit: 'ms' },
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
