import type { Part } from '../../conformance/report/describe-failure.ts'
import { visibleLines } from '../../plain/visible-text.ts'
import { cut, pad, widthOf, wrap } from '../terminal/text-layout.ts'

const gap = 2
/** Maximum lines shown of a long text. */
const most = 30

/** Lines that must stay copyable, and lines that may be cut off. All others are wrapped. */
const copied = new Set(['alone', 'program'])
const cutShort = new Set(['last calls', 'its calls', 'stderr'])

/** Titles with their contents, which may have several lines; indented. */
export function renderParts(parts: readonly Part[], width: number, dim: (text: string) => string): string {
  const indent = gap + Math.max(...parts.map(([title]) => widthOf(title))) + gap
  return parts
    .flatMap(([title, text]) =>
      shorten(visibleLines(text))
        .flatMap((line) => layOut(title, line, Math.max(20, width - indent)))
        .map((line, number) =>
          `${dim(pad(number === 0 ? `${' '.repeat(gap)}${title}` : '', indent))}${line}`.trimEnd(),
        ),
    )
    .map((line) => `${line}\n`)
    .join('')
}

function shorten(lines: readonly string[]): string[] {
  if (lines.length <= most) return [...lines]
  return [...lines.slice(0, most), `… ${lines.length - most} more lines; --json has them`]
}

function layOut(title: string, line: string, width: number): string[] {
  if (copied.has(title)) return [line]
  return cutShort.has(title) ? [cut(line, width)] : wrapIndented(line, width)
}

/** Continuation lines keep the indentation of their line. */
function wrapIndented(line: string, width: number): string[] {
  const [space = ''] = /^ */.exec(line) ?? []
  const margin = space.length < width / 2 ? space : ''
  return wrap(line.slice(margin.length), width - margin.length).map((piece) => `${margin}${piece}`)
}
