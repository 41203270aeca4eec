import type { SchemaChange } from '../../golden/compare/diff.ts'
import { type DiffLine, diffLines } from '../../golden/render/diff-lines.ts'
import { diffWords, type LinePart } from '../../golden/render/diff-words.ts'
import { visibleLine } from '../../plain/visible-text.ts'
import { escapeHtml } from '../pages/render-page.ts'

const tones = { '-': 'old', '+': 'new', ' ': '' } as const

/** The added, removed and changed lines of a declaration, as HTML. Within a changed line, the change is marked. */
export function renderDeclarationLines({ before, after }: SchemaChange): string {
  const lines = diffLines(before ?? '', after ?? '').filter(({ text, sign }) => text !== '' || sign === ' ')
  const marked = markChanges(lines)
  return lines
    .map((line, index) => `<i class="${tones[line.sign]}">${line.sign} ${marked.get(index) ?? toHtml(line.text)}</i>`)
    .join('\n')
}

/** Pairs the removed lines of each run with the added ones that follow. */
function markChanges(lines: readonly DiffLine[]): Map<number, string> {
  const marked = new Map<number, string>()
  for (let at = 0; at < lines.length; ) {
    const removed = lengthOfRun(lines, at, '-')
    const added = lengthOfRun(lines, at + removed, '+')
    for (let index = 0; index < Math.min(removed, added); index++) {
      const [was, is] = [at + index, at + removed + index]
      const words = diffWords(lines[was]?.text ?? '', lines[is]?.text ?? '')
      if (words === null) continue
      marked.set(was, words.before.map(renderPart).join(''))
      marked.set(is, words.after.map(renderPart).join(''))
    }
    at += Math.max(1, removed + added)
  }
  return marked
}

function lengthOfRun(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): number {
  let length = 0
  while (lines[from + length]?.sign === sign) length++
  return length
}

const renderPart = ({ text, isChanged }: LinePart) => (isChanged ? `<mark>${toHtml(text)}</mark>` : toHtml(text))

const toHtml = (text: string) => escapeHtml(visibleLine(text.replaceAll('\t', '    ')))
