import { type Level, levels, type Need } from '../case.ts'
import type { CaseReport, CaseStatus, LevelReport, Verdict } from './report.ts'

/** One row for each level that has a case among these. */
export function sumUpLevels(cases: readonly CaseReport[]): LevelReport[] {
  return levels
    .map((level) => [level, cases.filter((one) => one.level === level)] as const)
    .filter(([, ofLevel]) => ofLevel.length > 0)
    .map(([level, ofLevel]) => sumUp(level, ofLevel))
}

function sumUp(level: Level, cases: readonly CaseReport[]): LevelReport {
  const count = (status: CaseStatus) => cases.filter((one) => one.status === status).length
  const notOffered = count('not offered')
  return {
    level,
    offered: notOffered < cases.length,
    cases: cases.length,
    passed: count('passed'),
    failed: count('failed'),
    notFinished: count('not finished'),
    notOffered,
    kitFailed: count('kit failed'),
    missing: mostOftenFirst(cases.flatMap(({ missing }) => missing)),
  }
}

function mostOftenFirst(needs: readonly Need[]): Need[] {
  const counts = new Map<Need, number>()
  for (const need of needs) counts.set(need, (counts.get(need) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([need]) => need)
}

/** A broken clause is broken whatever else went wrong. */
export function verdictOn(cases: readonly CaseReport[]): Verdict {
  const failed = cases.filter(({ status }) => status === 'failed')
  if (failed.some(({ failure }) => failure?.kind !== 'cannot open')) return 'broken'
  if (cases.some(({ status }) => status === 'kit failed')) return 'kit failed'
  if (failed.length > 0) return 'cannot open'
  if (cases.some(({ status }) => status === 'not finished')) return 'not finished'
  return cases.some(({ status }) => status === 'passed') ? 'holds' : 'nothing offered'
}
