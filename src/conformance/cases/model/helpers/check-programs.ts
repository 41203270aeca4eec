import { AssertionError } from 'node:assert/strict'
import fc from 'fast-check'
import type { CaseContext, FullStore } from '../../../case.ts'
import { Counterexample } from '../../helpers/counterexample.ts'
import { patience } from '../../helpers/patience.ts'
import { CallRecorder } from './call-recorder.ts'

export interface ProgramCheck<Step> {
  readonly steps: fc.Arbitrary<Step>
  /** How many programs, of how many steps at most. */
  readonly programs: number
  readonly maxLength: number
  /** Runs a program on an empty memory and throws where the store does not read as it must. */
  run(steps: readonly Step[], handles: Handles): Promise<void>
}

/** What a program runs on. */
export interface Handles {
  open(): Promise<FullStore>
  close(store: FullStore): Promise<void>
  /** Another handle on the same memory. */
  again(store: FullStore): Promise<FullStore>
}

/** Runs random programs, as many as there is time for, and shows the shortest one that fails. The same seed makes the same programs. */
export async function checkPrograms<Step>(check: ProgramCheck<Step>, context: CaseContext): Promise<void> {
  const { open, close, again, seed } = context
  const programs = fc.array(check.steps, { maxLength: check.maxLength, size: 'max' })
  const result = await fc.check(
    fc.asyncProperty(programs, (steps) => check.run(steps, { open, close, again })),
    { seed, numRuns: check.programs, interruptAfterTimeLimit: patience() },
  )
  if (!result.failed) return
  const { errorInstance: error, counterexample, numRuns, numShrinks } = result
  const [steps = []] = counterexample ?? []
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
  const about = `program ${numRuns} of seed ${seed}, made shorter ${numShrinks} times: ${reason}`
  const { expected, actual } = error instanceof AssertionError ? error : {}
  throw new Counterexample(await asCode(check, steps, context), about, { expected, actual })
}

/** Runs a program once more and writes down what it does. */
async function asCode<Step>(check: ProgramCheck<Step>, steps: readonly Step[], context: CaseContext): Promise<string> {
  const recorder = new CallRecorder()
  const recorded = new Map<FullStore, FullStore>()
  const record = async (opening: Promise<FullStore>) => {
    const store = await opening
    const recording = recorder.record(store)
    recorded.set(recording, store)
    return recording
  }
  const handles: Handles = {
    open: () => record(context.open()),
    again: (store) => record(context.again(recorded.get(store) ?? store)),
    close: (store) => context.close(recorded.get(store) ?? store),
  }
  await check.run(steps, handles).catch(() => {})
  return recorder.lines.join('\n')
}
