import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { allGoldfish } from '../../src/conformance/goldfish/all-goldfish.ts'
import { startProcess } from '../../src/faults/start-process.ts'
import { cheapestFirst } from './cheapest-first.ts'

/** Judge a goldfish on all cases, or on the one alone that is recorded as its catcher. */
export interface Question {
  readonly name: string
  readonly catcher?: string
}

export interface GoldfishResult {
  readonly name: string
  /** How many of the cases it qualifies for were to show that it is otherwise sound. */
  readonly sampled: number
  /** How many of these it was seen to pass; no more are run once three quarters have. */
  readonly passed: number
  /** The cases that were run of the clauses it says it breaks, and failed; where a race is involved, the one it names. */
  readonly caughtBy: readonly string[]
  /** How many of 20 runs of that one failed. */
  readonly times: number
}

async function ended(child: ChildProcess, judged: () => string | undefined): Promise<never> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  throw new Error(`the process that judges goldfish ended with ${code ?? signal}, at ${judged()}`)
}

const isRace = new Set(allGoldfish.filter(({ races }) => races !== undefined).map(({ name }) => name))

/**
 * Every goldfish that is asked for, by its name. Most judges wait for deadlines, so there are twice as many as cores; races come last, and get a core each,
 * because they are rarer on a busy one.
 */
export async function judgeGoldfish(
  questions: readonly Question[],
  onResult: (result: GoldfishResult) => void = () => {},
): Promise<Map<string, GoldfishResult>> {
  const results = new Map<string, GoldfishResult>()
  const order = questions.every(({ catcher }) => catcher !== undefined) ? [] : await cheapestFirst()
  const judge = async (waiting: Question[], judges: number) => {
    const note = (result: GoldfishResult) => {
      results.set(result.name, result)
      onResult(result)
    }
    await Promise.all(Array.from({ length: Math.min(judges, waiting.length) }, () => judgeEach(waiting, order, note)))
  }
  const cores = Math.max(2, availableParallelism())
  await judge(
    questions.filter(({ name }) => !isRace.has(name)),
    2 * cores,
  )
  await judge(
    questions.filter(({ name }) => isRace.has(name)),
    cores,
  )
  return results
}

/** Takes one after the other of those that wait, until none is left. */
async function judgeEach(
  waiting: Question[],
  order: readonly string[],
  onResult: (result: GoldfishResult) => void,
): Promise<void> {
  const child = startProcess(new URL('./goldfish-process.ts', import.meta.url), order)
  child.stderr?.pipe(process.stderr)
  let question: Question | undefined
  const gone = ended(child, () => question?.name)
  gone.catch(() => {})
  for (question = waiting.shift(); question !== undefined; question = waiting.shift()) {
    child.send(question)
    const [result] = (await Promise.race([once(child, 'message'), gone])) as [GoldfishResult]
    onResult(result)
  }
  child.disconnect()
}
