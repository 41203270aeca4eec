import { describeFailure, type Part } from '../../conformance/report/describe-failure.ts'
import type { Failure } from '../../conformance/report/failure.ts'
import type { CaseReport, LevelReport, Report } from '../../conformance/report/report.ts'
import { visibleLine, visibleLines } from '../../plain/visible-text.ts'
import { escapeHtml, renderPage } from '../pages/render-page.ts'
import { copyScript } from './copy-script.ts'
import { style } from './report-page-style.ts'
import { clausesThat, type OpenClause, resultOf, verdictOf, whyNotOffered } from './report-wording.ts'

/** The report as one self-contained page. */
export function renderReportPage(report: Report): string {
  const { store, cases, notes } = report
  const failed = cases.filter((one): one is CaseReport & { failure: Failure } => one.failure !== null)
  const title = `${line(store.name)}: ${line(verdictOf(report))}`
  const body = `${renderHead(report)}
${renderMatrix(report.levels)}
${renderIndex('Broken clauses', clausesThat('failed', report))}
${renderIndex('Not finished', clausesThat('not finished', report))}
${failed.length > 0 ? `<h2>What happened</h2>\n${failed.map((one) => renderFailure(one, report)).join('\n')}` : ''}
${notes.length > 0 ? `<h2>Notes</h2>\n<ul class="card">${notes.map((note) => `<li>${line(note)}</li>`).join('')}</ul>` : ''}
<h2>Every case</h2>
${report.levels.map(({ level }) => renderCases(level, cases)).join('\n')}`
  return renderPage({ title, style, body, script: copyScript })
}

function renderHead(report: Report): string {
  const { store, kit, node, platform, seed, at, milliseconds, verdict } = report
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const declared = store.capabilities.length === 0 ? 'nothing' : store.capabilities.join(', ')
  return `<header>
<p class="soft small">unforget ${line(kit)} · Node ${line(node)} · ${line(platform)} · seed ${seed} · ${when} UTC · ${(milliseconds / 1000).toFixed(1)} s</p>
<h1>${line(store.name)}</h1>
<p class="verdict ${verdict === 'holds' ? 'good' : (({ 'kit failed': 'ours', 'not finished': 'late' } as Partial<Record<string, string>>)[verdict] ?? 'bad')}">${line(verdictOf(report))}</p>
<p class="soft small">${renderCommand(`npx unforget prove ${store.target}`)}</p>
<p class="soft small">declares ${line(declared)}</p>
</header>`
}

/** The clauses with a link to each of their cases, and the command that shows them again. */
function renderIndex(title: string, clauses: readonly OpenClause[]): string {
  if (clauses.length === 0) return ''
  const rows = clauses.map(
    ({ clause, cases, command }) =>
      `<tr><td><strong>${line(clause)}</strong><br>${cases.map(({ id }) => `<a href="#${anchorOf(id)}">${line(id.slice(id.indexOf('/') + 1))}</a>`).join('<br>')}</td><td>${renderCommand(command)}</td></tr>`,
  )
  return `<h2>${title}</h2>\n<nav class="card index"><table>${rows.join('\n')}</table></nav>`
}

function renderCommand(command: string): string {
  return `<span class="command"><code>${line(command)}</code><button type="button" data-copy>Copy</button></span>`
}

function anchorOf(id: string): string {
  return id.replaceAll(/[^\w.-]/g, '-')
}

function renderMatrix(levels: readonly LevelReport[]): string {
  return `<div class="card matrix"><table>
<thead><tr><th>Level</th><th>Result</th><th class="shape"></th><th class="number">Passed</th><th class="number">Failed</th><th class="number">Not finished</th><th class="number">Not offered</th></tr></thead>
${levels.map(renderLevel).join('\n')}
</table></div>`
}

function renderLevel(one: LevelReport): string {
  const { level, passed, failed, notFinished, notOffered, kitFailed, missing } = one
  const result = resultOf(one)
  const tone = { holds: 'good', broken: 'bad', 'not proved': 'ours', 'not finished': 'late' }[result] ?? 'none'
  const bar = `<div class="bar">${piece('g', passed)}${piece('b', failed)}${piece('l', notFinished)}${piece('o', kitFailed)}${piece('n', notOffered)}</div>`
  const why =
    missing.length > 0
      ? `<tr class="why"><td colspan="7" class="soft small">not offered: the store ${line(whyNotOffered(missing))}</td></tr>`
      : ''
  const ours = kitFailed > 0 ? ` <span class="ours small">(the kit failed in ${kitFailed})</span>` : ''
  return `<tbody><tr><td><strong>${level}</strong></td><td class="${tone}">${result}${ours}</td><td class="shape">${bar}</td>${[passed, failed, notFinished, notOffered].map((count, index) => `<td class="number${index === 1 && count > 0 ? ' bad' : ''}">${count}</td>`).join('')}</tr>${why}</tbody>`
}

function piece(kind: string, count: number): string {
  return count === 0 ? '' : `<i class="${kind}" style="flex:${count}"></i>`
}

const inline = new Set(['case', 'happened', 'session'])

function renderFailure(one: CaseReport & { failure: Failure }, report: Report): string {
  const parts = describeFailure(one, one.failure, report).filter(([title]) => title !== 'clause')
  const tone = marks[one.status][0]
  return `<article class="card ${tone}" id="${anchorOf(one.id)}">
<h3>${line(one.id)}</h3>
<blockquote>${withCode(one.sentence)}</blockquote>
<dl>${parts.map(renderPart).join('')}</dl>
</article>`
}

function renderPart([title, text]: Part): string {
  if (title === 'alone') return `<dt>${line(title)}</dt><dd>${renderCommand(text)}</dd>`
  const shown = inline.has(title) ? line(text) : `<pre>${visibleLines(text).map(escapeHtml).join('\n')}</pre>`
  return `<dt>${line(title)}</dt><dd>${shown}</dd>`
}

function renderCases(level: string, cases: readonly CaseReport[]): string {
  const rows = cases.filter((one) => one.level === level).map(renderCase)
  return `<div class="card"><strong>${level}</strong><table class="cases">${rows.join('\n')}</table></div>`
}

const marks = {
  passed: ['good', '✓'],
  failed: ['bad', '✗'],
  'not finished': ['late', '…'],
  'not offered': ['none', '–'],
  'kit failed': ['ours', '!'],
} as const

function renderCase({ id, title, status, milliseconds, missing }: CaseReport): string {
  const [tone, mark] = marks[status]
  const time = status === 'not offered' ? '' : `${milliseconds} ms`
  const why =
    missing.length === 0
      ? ''
      : ` <span class="soft small">(not offered: the store ${line(whyNotOffered(missing))})</span>`
  return `<tr><td class="mark ${tone}" title="${status}">${mark}</td><td><code>${status === 'failed' || status === 'not finished' ? `<a href="#${anchorOf(id)}">${line(id)}</a>` : line(id)}</code><span class="small">${line(title)}${why}</span></td><td class="number soft small">${time}</td></tr>`
}

function withCode(sentence: string): string {
  return line(sentence).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function line(text: string): string {
  return escapeHtml(visibleLine(text))
}
