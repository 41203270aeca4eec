import type { DatabaseDiff, RowChange, SchemaChange, TableDiff } from '../../golden/compare/diff.ts'
import { isEmptyDiff } from '../../golden/compare/diff.ts'
import { visibleLine } from '../../plain/visible-text.ts'
import { escapeHtml, renderPage } from '../pages/render-page.ts'
import { count } from '../terminal/wording.ts'
import { showNotApplied, summarize } from './golden-changes.ts'
import { renderDeclarationLines } from './golden-declaration.ts'
import { style } from './golden-page-style.ts'

export interface PageSide {
  readonly name: string
  /** The whole database, in lines. */
  readonly content: readonly string[]
}

export interface Page {
  readonly title: string
  /** Where the two are, if the title does not say it. */
  readonly where?: string
  /** The columns whose functions only the test has. */
  readonly notApplied?: readonly string[]
  readonly diff: DatabaseDiff
  readonly before: PageSide
  readonly after: PageSide
}

/** Two databases and their difference, as one self-contained page. */
export function renderGoldenPage({ title, where, diff, notApplied = [], before, after }: Page): string {
  const body = `<h1>${text(title)}</h1>
${where === undefined ? '' : `<p class="soft">${text(where)}</p>`}
<p${isEmptyDiff(diff) ? ' class="equal"' : ''}>${text(summarize(diff))}</p>
${notApplied.length === 0 ? '' : `<p class="soft">${text(showNotApplied(notApplied))}</p>`}
${renderSettings(diff)}
${diff.schema.map(renderDeclaration).join('\n')}
${diff.tables.map(renderTable).join('\n')}
${renderBroken(diff)}
<h2>Both databases</h2>
<details><summary>Show their whole content</summary>
<div class="both">${renderSide('−', before)}${renderSide('+', after)}</div>
</details>`
  return renderPage({ title: text(title), style, body })
}

function renderSettings({ settings }: DatabaseDiff): string {
  if (settings.length === 0) return ''
  return `<h2>Settings</h2>\n<div class="card">${renderCells(settings.map(({ name, before, after }) => [name, before, after]))}</div>`
}

function renderDeclaration(change: SchemaChange): string {
  const { type, name, before, after } = change
  return `<h2>${text(`${type} ${name}`)} <span>declaration ${before === null ? 'added' : after === null ? 'removed' : 'changed'}</span></h2>
<div class="card"><pre>${renderDeclarationLines(change)}</pre></div>`
}

function renderTable(table: TableDiff): string {
  const rest = table.changed + table.removed + table.added - table.rows.length
  return `<h2>${text(table.table)} <span>${text(countsOf(table))}</span></h2>
${table.rows.map(renderRow).join('\n')}
${rest > 0 ? `<p class="soft">… and ${rest.toLocaleString('en')} more</p>` : ''}`
}

function countsOf({ changed, removed, added }: TableDiff): string {
  return Object.entries({ changed, removed, added })
    .filter(([, number]) => number > 0)
    .map(([what, number]) => `${count(number, 'row')} ${what}`)
    .join(', ')
}

function renderRow(row: RowChange): string {
  if (row.kind !== 'changed') {
    const tone = row.kind === 'removed' ? 'old' : 'new'
    const lines = row.cells.map(
      ({ column, value }) => `<tr><td>${text(column)}</td><td class="${tone}"><div>${text(value)}</div></td></tr>`,
    )
    return `<div class="card ${row.kind}"><b>${row.kind === 'removed' ? '− row removed' : '+ row added'}</b><table>${lines.join('')}</table></div>`
  }
  const key = row.key.map(({ column, value }) => `${column}=${value}`).join(' ')
  return `<div class="card changed"><b>~ ${key === '' ? 'row changed' : text(key)}</b>${renderCells(row.cells.map(({ column, before, after }) => [column, before, after]))}</div>`
}

function renderCells(cells: readonly (readonly [name: string, before: string | null, after: string | null])[]): string {
  const value = (shown: string | null, tone: string) =>
    shown === null ? '<td></td>' : `<td class="${tone}"><div>${text(shown)}</div></td>`
  const lines = cells.map(([name, before, after]) => {
    const label = before === null ? `${name} (new)` : after === null ? `${name} (dropped)` : name
    return `<tr><td>${text(label)}</td>${value(before, 'old')}${value(after, 'new')}</tr>`
  })
  return `<table><tr class="heads"><th></th><th>before</th><th>after</th></tr>${lines.join('')}</table>`
}

function renderBroken({ brokenForeignKeys }: DatabaseDiff): string {
  if (brokenForeignKeys.length === 0) return ''
  const lines = brokenForeignKeys.slice(0, 100).map(text)
  return `<h2>Broken foreign keys</h2>\n<div class="card"><pre class="old">${lines.join('\n')}</pre></div>`
}

function renderSide(sign: string, { name, content }: PageSide): string {
  return `<div><p class="soft">${sign} ${text(name)}</p><div class="card"><pre>${content.map(text).join('\n')}</pre></div></div>`
}

function text(value: string): string {
  return escapeHtml(visibleLine(value))
}
