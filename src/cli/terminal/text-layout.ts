import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The width of the text in terminal columns: two for wide scripts and emoji, none for marks. */
export function widthOf(text: string): number {
  return stringWidth(text)
}

/** The text cut to the given width, with an ellipsis if something is missing. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment)
    if (used > width) break
    kept += segment
  }
  return width < 1 ? '' : `${kept}…`
}

export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'left' ? text + space : space + text
}

/** Wraps one line to the given width: at a space if there is one, else between two graphemes. */
export function wrap(line: string, width: number): string[] {
  const lines: string[] = []
  let current: string[] = []
  let used = 0
  for (const { segment } of graphemes.segment(line)) {
    const size = widthOf(segment)
    if (used + size > width && current.length > 0) {
      const space = segment === ' ' ? current.length : current.lastIndexOf(' ')
      const end = space > 0 ? space : current.length
      lines.push(current.slice(0, end).join(''))
      current = current.slice(space > 0 ? end + 1 : end)
      used = widthOf(current.join(''))
      if (segment === ' ' && end === space && used === 0) continue
    }
    current.push(segment)
    used += size
  }
  return [...lines, current.join('').trimEnd()]
}
