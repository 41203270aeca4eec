import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { allGoldfish } from '../../src/conformance/goldfish/all-goldfish.ts'
import { startProcess } from '../../src/faults/start-process.ts'

export interface GoldfishResult {
  readonly name: string
  /** How many cases it offers what they need. */
  readonly offered: number
  /** How many it was seen to pass; no more are run once three quarters of those offered have. */
  readonly passed: number
  /** The cases of the clauses it says it breaks that failed; where a race is involved, the one it names. */
  readonly caughtBy: readonly string[]
  /** How often of twenty that one failed. */
  readonly times: number
}

async function ended(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null]
  throw new Error(`a process that judges goldfish ended with ${code}`)
}

/** Every goldfish on the cases, by as many processes as there are cores. */
export async function judgeGoldfish(
  onResult: (result: GoldfishResult) => void = () => {},
): Promise<Map<string, GoldfishResult>> {
  const waiting = allGoldfish.map(({ name }) => name)
  const results = new Map<string, GoldfishResult>()
  const work = async () => {
    const child = startProcess(new URL('./goldfish-process.ts', import.meta.url), null)
    child.stderr?.pipe(process.stderr)
    const gone = ended(child)
    gone.catch(() => {})
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      child.send(name)
      const [result] = (await Promise.race([once(child, 'message'), gone])) as [GoldfishResult]
      results.set(result.name, result)
      onResult(result)
    }
    child.disconnect()
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
  return results
}
