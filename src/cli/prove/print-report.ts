import { describeFailure } from '../../conformance/report/describe-failure.ts'
import type { Failure } from '../../conformance/report/failure.ts'
import type { CaseReport, CaseStatus, LevelReport, Report } from '../../conformance/report/report.ts'
import { visibleLine } from '../../plain/visible-text.ts'
import type { Output } from '../terminal/output.ts'
import { count } from '../terminal/wording.ts'
import { renderParts } from './render-parts.ts'
import { clausesThat, type OpenClause, resultOf, verdictOf, whyNotOffered } from './report-wording.ts'

/** The matrix, the failures and the verdict, for people. */
export async function printReport(output: Output, report: Report): Promise<void> {
  const { store, kit, node, platform, seed, levels, cases, notes } = report
  await output.line(
    `${output.paint('bold', visibleLine(store.name))}  unforget ${kit}, Node ${node}, ${platform}, seed ${seed}`,
  )
  await output.line('')
  await printMatrix(output, levels)
  const failed = cases.filter((one): one is CaseReport & { failure: Failure } => one.failure !== null)
  for (const one of failed) {
    const [color, word] = headings[one.status] ?? headings.failed
    const heading = `${output.paint(color, word)}  ${output.paint('bold', one.id)}`
    await output.line(`\n${heading}`)
    await output.write(
      renderParts(describeFailure(one, one.failure, report), output.width, (text) => output.paint('dim', text)),
    )
  }
  if (notes.length > 0) await output.line('')
  for (const note of notes)
    await output.write(renderParts([['note', note]], output.width, (text) => output.paint('dim', text)))
  await output.line(`\n${verdictLine(output, report)}`)
  await printClauses(output, 'broken clauses', clausesThat('failed', report))
  await printClauses(output, 'not finished', clausesThat('not finished', report))
}

async function printClauses(output: Output, title: string, clauses: readonly OpenClause[]): Promise<void> {
  if (clauses.length === 0) return
  await output.line(`\n${title}`)
  const wide = Math.max(...clauses.map(({ clause }) => clause.length))
  for (const { clause, command } of clauses) await output.line(`  ${clause.padEnd(wide)}  ${visibleLine(command)}`)
}

const headings: { failed: readonly ['red', string] } & Partial<Record<CaseStatus, readonly ['red' | 'cyan', string]>> =
  {
    failed: ['red', 'broken'],
    'kit failed': ['red', 'the kit failed'],
    'not finished': ['cyan', 'not finished'],
  }

async function printMatrix(output: Output, levels: readonly LevelReport[]): Promise<void> {
  const kitFailed = levels.some((one) => one.kitFailed > 0)
  const notFinished = levels.some((one) => one.notFinished > 0)
  await output.table(
    [
      { title: 'level' },
      { title: 'result' },
      { title: 'passed', align: 'right' },
      { title: 'failed', align: 'right' },
      ...(notFinished ? [{ title: 'not finished', align: 'right' } as const] : []),
      { title: 'not offered', align: 'right' },
      ...(kitFailed ? [{ title: 'kit failed', align: 'right' } as const] : []),
    ],
    levels.map((one) => [
      one.level,
      resultOf(one),
      `${one.passed}`,
      `${one.failed}`,
      ...(notFinished ? [`${one.notFinished}`] : []),
      `${one.notOffered}`,
      ...(kitFailed ? [`${one.kitFailed}`] : []),
    ]),
  )
  const lacking = levels.filter(({ missing }) => missing.length > 0)
  if (lacking.length === 0) return
  await output.line('\nnot offered, for the store')
  await output.fields(lacking.map(({ level, missing }) => [`  ${level}`, whyNotOffered(missing)]))
}

function verdictLine(output: Output, report: Report): string {
  const { verdict, cases, milliseconds } = report
  const offered = cases.filter(({ status }) => status !== 'not offered').length
  const ran = `${count(offered, 'case')} of ${cases.length} run in ${(milliseconds / 1000).toFixed(1)} s`
  return `${ran}: ${output.paint(verdict === 'holds' ? 'green' : 'red', verdictOf(report))}`
}
