import { useState } from 'preact/hooks'
import { describeRanges } from '../../src/core/path.ts'
import type { EntryView } from '../../src/inspector/wire.ts'
import type { Wanted } from '../actions/action-dialog.tsx'
import { Line } from '../text/visible.tsx'
import { countOf, showTime } from '../text/words.ts'
import type { Answer } from './fold-calls.ts'
import { LongText } from './long-text.tsx'
import { Part } from './part.tsx'

interface Props {
  readonly session: string
  readonly at: string | null
  readonly entry: EntryView
  readonly answers: ReadonlyMap<number, readonly Answer[]>
  readonly want?: ((wanted: Wanted) => void) | null
}

const known = ['user', 'assistant', 'system', 'developer', 'tool', 'model']

/** One entry of the conversation. */
export function Turn({ session, at, entry, answers, want = null }: Props) {
  const [isRaw, setRaw] = useState(false)
  const { seq, kind, title, name, parts, moreParts, covers, standsIn, dimensions } = entry
  const place = { session, at, seq }
  const own = [...answers.values()].flat().filter((answer) => answer.seq === seq)
  const isFolded = (part: number) => own.some(({ index }) => index === part)
  return (
    <li class={`turn ${kind === 'message' ? (known.includes(title) ? title : 'other') : kind}`} data-seq={seq}>
      <div class="turn-head">
        <span class="seq">#{seq}</span>
        <span class="role">
          <Line text={title} />
        </span>
        {name !== null && (
          <span class="quiet">
            <Line text={name} />
          </span>
        )}
        {covers !== null && covers.length > 0 && (
          <span class="quiet">
            {standsIn ? 'in place of' : 'of'} {describeRanges(covers)}
          </span>
        )}
        {dimensions !== null && <span class="quiet">{countOf(dimensions, 'dimension')}</span>}
        <span class="quiet time">{showTime(entry.at)}</span>
        <span class="turn-actions">
          {want !== null && (
            <>
              <button type="button" onClick={() => want({ kind: 'rewind', seq })}>
                Rewind to here
              </button>
              <button type="button" onClick={() => want({ kind: 'fork', seq })}>
                Fork here
              </button>
            </>
          )}
          <button type="button" aria-expanded={isRaw} onClick={() => setRaw(!isRaw)}>
            JSON
          </button>
        </span>
      </div>
      {isRaw ? (
        <div class="raw">
          <LongText place={{ ...place, part: null }} text="" length={Number.MAX_SAFE_INTEGER} isOpen />
        </div>
      ) : (
        <div class="parts">
          {parts.map(
            (part, index) =>
              !isFolded(index) && (
                <Part key={index} place={{ ...place, part: index }} part={part} answers={answers.get(index) ?? []} />
              ),
          )}
          {parts.length === 0 && <p class="quiet">no content</p>}
          {moreParts > 0 && <p class="quiet">{countOf(moreParts, 'more part')}: see its JSON</p>}
        </div>
      )}
    </li>
  )
}
