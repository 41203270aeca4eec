import type { PartView } from '../../src/inspector/wire.ts'
import { Line } from '../text/visible.tsx'
import { showBytes } from '../text/words.ts'
import type { Answer } from './fold-calls.ts'
import { LongText, type Place } from './long-text.tsx'

interface Props {
  readonly place: Place
  readonly part: PartView
  readonly answers: readonly Answer[]
}

export function Part({ place, part, answers }: Props) {
  const { kind, label, text, length, bytes, failed } = part
  switch (kind) {
    case 'text':
    case 'other':
      return (
        <div class={kind === 'text' ? 'part' : 'part code'}>
          {label !== null && (
            <span class="badge">
              <Line text={label} />
            </span>
          )}
          <LongText place={place} text={text} length={length} />
        </div>
      )
    case 'media':
      return (
        <p class="part media">
          <span class="badge">
            <Line text={label ?? 'file'} />
          </span>
          {bytes !== null && <span>{showBytes(bytes)}</span>}
          {text !== '' && <LongText place={place} text={text} length={length} />}
        </p>
      )
    case 'call':
      return <Call place={place} part={part} answers={answers} />
    case 'result':
      return (
        <div class={failed ? 'part result failed-result' : 'part result'}>
          <span class="badge">{failed ? 'failed' : 'result'}</span>
          <LongText place={place} text={text} length={length} />
        </div>
      )
  }
}

/** A tool call folded together with what came of it. */
function Call({ place, part: { label, text, length }, answers }: Props) {
  const [first] = answers
  return (
    <details class="part call">
      <summary>
        <span class="tool">
          <Line text={label ?? 'tool'} />
        </span>
        <span class="brief">
          <Line text={brief(text)} />
        </span>
        {first !== undefined && (
          <span class={first.part.failed ? 'brief bad-text' : 'brief outcome'}>
            → <Line text={brief(first.part.text)} />
          </span>
        )}
        {first === undefined && <span class="quiet">no result here</span>}
      </summary>
      <h3>called with</h3>
      <LongText place={place} text={text} length={length} />
      {answers.map(({ seq, kind, part, index }) => (
        <div key={`${seq} ${index}`} data-seq={seq}>
          <h3>
            #{seq} {kind === 'toolCall' ? 'recorded' : 'returned'}
            {part.failed && ' an error'}
          </h3>
          <LongText place={{ ...place, seq, part: index }} text={part.text} length={part.length} />
        </div>
      ))}
    </details>
  )
}

function brief(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
