import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { startProcess } from '../../src/faults/start-process.ts'

/** Judge a goldfish on all cases, or on the one alone that is recorded as its catcher. */
export interface Question {
  readonly name: string
  readonly catcher?: string
}

export interface GoldfishResult {
  readonly name: string
  /** How many cases it qualifies for. */
  readonly offered: number
  /** How many it was seen to pass; no more are run once three quarters of those offered have. */
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

/** Every goldfish that is asked for, by its name, judged by as many processes as there are cores. */
export async function judgeGoldfish(
  questions: readonly Question[],
  onResult: (result: GoldfishResult) => void = () => {},
): Promise<Map<string, GoldfishResult>> {
  const waiting = [...questions]
  const results = new Map<string, GoldfishResult>()
  const work = async () => {
    const child = startProcess(new URL('./goldfish-process.ts', import.meta.url), null)
    child.stderr?.pipe(process.stderr)
    let question: Question | undefined
    const gone = ended(child, () => question?.name)
    gone.catch(() => {})
    for (question = waiting.shift(); question !== undefined; question = waiting.shift()) {
      child.send(question)
      const [result] = (await Promise.race([once(child, 'message'), gone])) as [GoldfishResult]
      results.set(result.name, result)
      onResult(result)
    }
    child.disconnect()
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
  return results
}
