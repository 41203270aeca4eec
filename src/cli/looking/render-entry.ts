import type { Entry } from '../../core/entries.ts'
import { visibleLine, visibleLines } from '../../plain/visible-text.ts'
import type { Output } from '../terminal/output.ts'
import { cut, wrap } from '../terminal/text-layout.ts'
import { showTime } from '../terminal/wording.ts'
import { describeEntry } from './describe-entry.ts'

/** An entry as a paragraph: a heading line, then its text. */
export function renderEntry(entry: Entry, output: Output): string {
  const { title, text } = describeEntry(entry)
  const head = cut(`#${entry.seq} ${visibleLine(title)}`, Math.max(1, output.width - 18))
  const lines = visibleLines(text).flatMap((line) => wrap(line, output.width - 2))
  return [
    `${output.paint('bold', head)}  ${output.paint('dim', showTime(entry.at))}`,
    ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** An entry on one line. */
export function renderEntryLine(entry: Entry, width: number): string {
  const { title, text } = describeEntry(entry)
  return cut(`#${entry.seq} ${visibleLine(title)}: ${visibleLine(text)}`, width)
}
