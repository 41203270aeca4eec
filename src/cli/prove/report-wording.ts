import type { Need } from '../../conformance/case.ts'
import { isCapability } from '../../conformance/offers.ts'
import { commandFor } from '../../conformance/report/describe-failure.ts'
import type { CaseReport, CaseStatus, LevelReport, Report, Verdict } from '../../conformance/report/report.ts'
import { count } from '../terminal/wording.ts'

export function resultOf({ offered, cases, passed, failed, notFinished, notOffered, kitFailed }: LevelReport): string {
  if (failed > 0) return 'broken'
  if (!offered) return 'not offered'
  if (notFinished > 0) return 'not finished'
  if (kitFailed > 0) return 'not proved'
  return notOffered > 0 ? `${cases - notOffered} of ${cases} offered, ${passed} hold` : 'holds'
}

/** One line of the list at the end of a report. */
export interface OpenClause {
  readonly clause: string
  readonly cases: readonly CaseReport[]
  /** Runs every case of the clause. */
  readonly command: string
}

/** The clauses with a case of this status, each with one command that shows it again. */
export function clausesThat(status: CaseStatus, { cases, store, seed, deadline }: Report): OpenClause[] {
  const concerned = cases.filter((one) => one.status === status)
  return [...new Set(concerned.map(({ clause }) => clause))].map((clause) => {
    const own = concerned.filter((one) => one.clause === clause)
    const longest = Math.max(deadline, ...own.map(({ failure }) => failure?.suggestedDeadline ?? 0))
    return { clause, cases: own, command: commandFor(clause, { target: store.target, seed, deadline: longest }) }
  })
}

/** Why cases that need these are not offered; lists only the first few methods. */
export function whyNotOffered(missing: readonly Need[]): string {
  const methods = missing.filter((need) => !isCapability(need))
  const declared = missing.filter(isCapability)
  return [
    ...(methods.length > 0 ? [`has no ${listSome(methods)}`] : []),
    ...(declared.length > 0 ? [`does not declare ${declared.join(', ')}`] : []),
  ].join('; ')
}

function listSome(names: readonly string[]): string {
  if (names.length <= most + 1) return names.join(', ')
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`
}

const most = 5

export function verdictOf({ verdict, cases }: Report): string {
  const of = (status: CaseStatus) => cases.filter((one) => one.status === status).length
  const words: Record<Verdict, string> = {
    holds: 'everything offered holds',
    broken: `${count(of('failed'), 'case')} failed${of('not finished') > 0 ? `, ${of('not finished')} did not finish` : ''}`,
    'not finished': `${count(of('not finished'), 'case')} did not finish; no clause is known to be broken`,
    'cannot open': 'the store could not be opened in every case',
    'nothing offered': 'nothing was proved: the store qualifies for none of these cases',
    'kit failed': "the kit failed; this is not the store's fault",
  }
  return words[verdict]
}
