import { defaultDeadline } from '../case.ts'
import { type Failure, isUnfinished } from './failure.ts'
import type { CaseReport, Report } from './report.ts'

/** What to type to run one case alone. */
export function commandFor(
  id: string,
  { target, seed, deadline }: { target: string; seed: number; deadline: number },
): string {
  const waits = deadline === defaultDeadline ? '' : ` --deadline ${deadline / 1000}`
  return `npx unforget prove ${target} --case ${id} --seed ${seed}${waits}`
}

/** A part of a failure: its title, and lines that may be many. */
export type Part = readonly [title: string, text: string]

/** Everything about a failure, in reading order. */
export function describeFailure(
  one: CaseReport,
  failure: Failure,
  report: Pick<Report, 'seed' | 'deadline' | 'store'>,
): Part[] {
  const { seed, store } = report
  const deadline = failure.suggestedDeadline ?? report.deadline
  const parts: Part[] = [
    ['clause', `${one.clause}: ${one.sentence}`],
    ['case', one.title],
    ['happened', saidOf(failure)],
  ]
  if (failure.expected !== null) parts.push(['expected', failure.expected])
  if (failure.actual !== null) parts.push(['seen', failure.actual])
  if (failure.program !== null) parts.push(['program', failure.program])
  if (failure.calls.length > 0) {
    if (failure.session !== null) parts.push(['session', JSON.stringify(failure.session)])
    parts.push([failure.session === null ? 'last calls' : 'its calls', failure.calls.join('\n')])
  }
  if (failure.kind === 'died' && failure.stack !== null) parts.push(['stderr', failure.stack])
  parts.push(['alone', commandFor(one.id, { target: store.target, seed, deadline })])
  return parts
}

function saidOf({ kind, message }: Failure): string {
  if (kind === 'kit') return `this is a fault of the kit, not of the store: ${message}`
  if (isUnfinished(kind)) return `${message}; whether the clause holds is not known`
  if (kind === 'died') return `${message}: a store must not end the process it runs in`
  return message.replace(/:$/, '')
}
