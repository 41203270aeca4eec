import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Attempt, Call, Operation, Outcome } from '../checker/history.ts'

/** What is asked, under which id. */
export interface Asked {
  readonly id: string
  readonly session: string
  readonly call: Call
  readonly turn?: string
}

type Line =
  | { readonly is: 'invoked'; readonly attempt: string; readonly at: number; readonly asked: Asked }
  | { readonly is: 'returned'; readonly attempt: string; readonly at: number; readonly outcome: Outcome }

/** The clock that all processes of the machine share, in microseconds. */
export function now(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/** What one process did, written before and after every call: a killed process leaves what it had begun. */
export class Log {
  readonly #file: number
  readonly #name: string
  #attempts = 0

  constructor(folder: string, name: string) {
    this.#name = name
    this.#file = openSync(join(folder, `${name}.log`), 'a')
  }

  async record(asked: Asked, carryOut: () => Promise<Outcome>): Promise<Outcome> {
    const attempt = `${this.#name}.${++this.#attempts}`
    this.#write({ is: 'invoked', attempt, at: now(), asked })
    const outcome = await carryOut()
    this.#write({ is: 'returned', attempt, at: now(), outcome })
    return outcome
  }

  #write(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

/** Everything that was asked so far, by any process, with all attempts. */
export function readLogs(folder: string): Operation[] {
  const operations = new Map<string, { asked: Asked; attempts: (Attempt & { key: string })[] }>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.log'))) {
    const attempts = new Map<string, { id: string; index: number }>()
    for (const line of linesOf(join(folder, file))) {
      if (line.is === 'invoked') {
        const { asked, at, attempt } = line
        const known = operations.get(asked.id) ?? { asked, attempts: [] }
        operations.set(asked.id, known)
        attempts.set(attempt, { id: asked.id, index: known.attempts.length })
        known.attempts.push({ key: attempt, process: file.slice(0, -4), invoked: at, returned: null, outcome: null })
        continue
      }
      const { id, index } = attempts.get(line.attempt) ?? { id: '', index: 0 }
      const known = operations.get(id)?.attempts
      const open = known?.[index]
      if (known && open) known[index] = { ...open, returned: line.at, outcome: line.outcome }
    }
  }
  return [...operations.values()].map(({ asked, attempts }) => ({
    ...asked,
    attempts: attempts.map(({ key: _, ...attempt }) => attempt).sort((a, b) => a.invoked - b.invoked),
  }))
}

/** Without the last line if the process died while it wrote it. */
function linesOf(file: string): Line[] {
  const text = readFileSync(file, 'utf8')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}
