import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { OpenedBackend } from '../every-backend.ts'
import { Lane } from './lane.ts'
import { type Step, steps } from './steps.ts'

/** How many changes were committed or refused, and how they ended: each kind with `done`, or with the code of an error. */
export interface Compared {
  changes: number
  readonly outcomes: Set<string>
}

/** In milliseconds: a program that fails is no longer made shorter then, so that it is shown before the test is given up. */
const patience = 1_500_000

/**
 * Runs random programs on all backends and throws, with the shortest program that shows it, where one of them returns, throws or reads anything else
 * than the first. Every program has sessions of its own.
 */
export async function compareBackends(
  opened: ReadonlyMap<string, OpenedBackend>,
  { seed, programs }: { readonly seed: number; readonly programs: number },
): Promise<Compared> {
  const compared: Compared = { changes: 0, outcomes: new Set() }
  const program = fc.array(steps, { minLength: 1, maxLength: 40, size: 'max' })
  let runs = 0
  await fc.assert(
    fc.asyncProperty(program, async (chosen) => {
      runs += 1
      const lanes = [...opened].map(([name, one]) => [name, new Lane(one, `${seed} ${runs}`)] as const)
      for (const step of chosen) count(compared, step, await runStep(lanes, step))
      await same(lanes, 'the end', (lane) => Promise.all([lane.look(0), lane.look(1)]))
    }),
    { seed, numRuns: programs, interruptAfterTimeLimit: patience, markInterruptAsFailure: true },
  )
  return compared
}

const refusals = ['TURN_LOST', 'VERSION_CONFLICT', 'OPERATION_CONFLICT', 'SNAPSHOT_NOT_FOUND', 'SNAPSHOT_EXISTS']

/** What must come up, or the programs show less than they seem to. */
export const everyOutcome: readonly string[] = [
  'burst: done',
  ...['commit', 'at once'].flatMap((kind) => ['done', ...refusals].map((outcome) => `${kind}: ${outcome}`)),
  ...['done', 'VERSION_CONFLICT'].map((outcome) => `restore: ${outcome}`),
  ...['done', 'VERSION_CONFLICT', 'COPY_LOST'].map((outcome) => `publish: ${outcome}`),
].sort()

type Lanes = readonly (readonly [name: string, lane: Lane])[]

async function runStep(lanes: Lanes, step: Step): Promise<readonly object[]> {
  const { results } = await same(lanes, JSON.stringify(step), (lane) => lane.run(step))
  return results
}

async function same<T>(lanes: Lanes, what: string, tell: (lane: Lane) => Promise<T>): Promise<T> {
  const told = await Promise.all(lanes.map(([, lane]) => tell(lane)))
  const [first] = told as [T]
  for (const [index, [name]] of lanes.entries()) {
    assert.deepEqual({ [what]: told[index] }, { [what]: first }, `${name} differs from ${lanes[0]?.[0]}`)
  }
  return first
}

function count(compared: Compared, { kind }: Step, results: readonly object[]): void {
  if (!['commit', 'at once', 'burst', 'restore', 'publish'].includes(kind)) return
  compared.changes += results.length
  for (const result of results) {
    compared.outcomes.add(`${kind}: ${'code' in result ? String(result.code) : 'done'}`)
  }
}
