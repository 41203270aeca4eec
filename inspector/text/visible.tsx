import { visibleLine, visibleLines } from '../../src/plain/visible-text.ts'

/** Stored text on one line. What is invisible in it is written out, and its direction stays its own. */
export function Line({ text }: { text: string }) {
  return <bdi>{visibleLine(text)}</bdi>
}

/** Stored text with its line breaks. */
export function Lines({ text }: { text: string }) {
  return (
    <span class="lines" dir="auto">
      {visibleLines(text).join('\n')}
    </span>
  )
}
