import { existsSync } from 'node:fs'
import type { PendingGolden } from '../../golden/files/golden-files.ts'
import { renderDiff } from '../../golden/render/render-diff.ts'
import { renderSuggestion } from '../../golden/render/render-suggestion.ts'
import { visibleLine } from '../../plain/visible-text.ts'
import type { Output } from '../terminal/output.ts'
import { nameOf, type PendingChange, showNotApplied, suggestionFor, summarize } from './golden-changes.ts'
import { quotePath, showPath } from './golden-paths.ts'

/** A change as it is shown before the question. */
export function renderChange(output: Output, change: PendingChange, place: string, isAgain: boolean): string {
  const name = nameOf(change)
  return [
    ...(isAgain ? [output.paint('bold', 'It changed since it was shown:')] : []),
    `${output.paint('bold', place)}${name === null ? '' : `  ${visibleLine(name)}`}`,
    visibleLine(showPath(change.golden)),
    ...renderContent(output, change),
  ].join('\n')
}

/** Goldens that change in the same way: all are named, and the first is shown. */
export function renderGroup(output: Output, group: readonly PendingChange[], place: string): string {
  const [first] = group
  if (first === undefined) return ''
  const named = group.map((change) => {
    const counts = change.diff === null ? '' : ` (${summarize(change.diff)})`
    return `  ${visibleLine(`${nameOf(change) ?? showPath(change.golden)}${counts}`)}`
  })
  return [
    `${output.paint('bold', place)}  ${group.length} goldens change in the same way:`,
    ...named,
    '',
    `The first: ${visibleLine(showPath(first.golden))}`,
    ...renderContent(output, first),
  ].join('\n')
}

function renderContent(output: Output, change: PendingChange): string[] {
  const { diff, problem, notApplied } = change
  const color = output.paint('red', '') !== ''
  const suggestion = suggestionFor(change)
  return [
    '',
    diff === null ? visibleLine(problem ?? '') : renderDiff(diff, { color }),
    ...(notApplied.length === 0 ? [] : ['', visibleLine(showNotApplied(notApplied))]),
    ...(suggestion === null ? [] : ['', renderSuggestion(suggestion)]),
    '',
    '',
  ]
}

/** Without a terminal: the commands that decide on each. */
export function renderCommands(groups: readonly (readonly PendingGolden[])[]): string {
  const blocks = groups.map((group) => {
    const files = group.map(({ pending }) => quotePath(pending)).join(' ')
    const [first] = group.filter(({ golden }) => existsSync(golden))
    return [
      ...(group.length === 1 ? [] : [`${group.length} goldens change in the same way:`]),
      ...group.map(({ golden }) => visibleLine(showPath(golden))),
      ...(first === undefined ? [] : [`  unforget golden diff ${quotePath(first.golden)} ${quotePath(first.pending)}`]),
      `  unforget golden accept ${files}`,
      `  unforget golden reject ${files}`,
    ].join('\n')
  })
  return `stdin is not a terminal. To decide on each:\n\n${blocks.join('\n\n')}\n`
}
