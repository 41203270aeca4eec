import type { Operation, Outcome, Violation } from './history.ts'
import { spanOf } from './history.ts'

const longest = 40

/** A history for people: a line for each attempt, in the order in which they began. */
export function describeHistory(operations: readonly Operation[]): string {
  const start = Math.min(...operations.map((one) => spanOf(one).from))
  const lines = operations.flatMap((operation) =>
    operation.attempts.map(({ process, invoked, returned, outcome }) => {
      const { method, ...call } = operation.call
      const through = operation.turn === undefined ? '' : ` in turn ${operation.turn}`
      const time = (at: number | null) => (at === null ? '…' : ((at - start) / 1000).toFixed(3))
      const text = `${time(invoked)} – ${time(returned)} ms  ${process}  ${operation.id}  ${method} ${short(call)}${through}  →  ${describe(outcome)}`
      return { invoked, text }
    }),
  )
  const sorted = lines.sort((a, b) => a.invoked - b.invoked).map(({ text }) => `  ${text}`)
  if (sorted.length <= longest) return sorted.join('\n')
  return [`  … ${sorted.length - longest} earlier attempts`, ...sorted.slice(-longest)].join('\n')
}

export function describeViolation({ rule, session, operations, message }: Violation): string {
  return `Violated: ${rule}\n  session ${session}, operations ${operations.join(', ')}\n  ${message}`
}

function describe(outcome: Outcome | null): string {
  if (outcome === null) return 'no answer'
  if (outcome.is === 'ok') return `ok ${short(outcome.result)}`
  return outcome.is === 'gone' ? 'done earlier' : `${outcome.is} ${outcome.code}`
}

function short(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
