import type { Need } from '../../conformance/case.ts'
import { isCapability } from '../../conformance/offers.ts'
import type { CaseStatus, LevelReport, Report, Verdict } from '../../conformance/report/report.ts'
import { count } from '../terminal/wording.ts'

export function resultOf({ offered, failed, kitFailed }: LevelReport): string {
  if (failed > 0) return 'broken'
  if (!offered) return 'not offered'
  return kitFailed > 0 ? 'not proved' : 'holds'
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
    broken: `${count(of('failed'), 'case')} failed`,
    'cannot open': 'the store could not be opened in every case',
    'nothing offered': 'nothing was proved: the store qualifies for none of these cases',
    'kit failed': "the kit failed; this is not the store's fault",
  }
  return words[verdict]
}
