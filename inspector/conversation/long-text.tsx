import { useEffect, useState } from 'preact/hooks'
import type { TextView } from '../../src/inspector/wire.ts'
import { ask, type Failure } from '../api.ts'
import { Failed } from '../text/failed.tsx'
import { Lines } from '../text/visible.tsx'
import { countOf } from '../text/words.ts'

/** Where a text is stored; `part` is `null` for the whole entry as JSON. */
export interface Place {
  readonly session: string
  readonly at: string | null
  readonly seq: number
  readonly part: number | null
}

interface Props {
  readonly place: Place
  /** The beginning. */
  readonly text: string
  readonly length: number
  readonly isOpen?: boolean
}

const folded = { characters: 700, lines: 12 }

/** A text of any length: folded at first, then piece by piece, so that a line of megabytes does not stop the page. */
export function LongText({ place, text, length, isOpen = false }: Props) {
  const [held, setHeld] = useState({ text, length })
  const [isUnfolded, setUnfolded] = useState(isOpen)
  const [failure, setFailure] = useState<Failure | null>(null)
  const { session, at, seq, part } = place
  const more = () => {
    ask<TextView>('text', { session, at, seq, part, from: held.text.length }).then(
      (view) => setHeld((before) => ({ text: before.text + view.text, length: view.length })),
      setFailure,
    )
  }
  useEffect(() => {
    if (isOpen && text === '') more()
  }, [])
  const start = foldedStart(held.text)
  const isLong = start < held.length
  const left = held.length - held.text.length
  return (
    <div class="long-text">
      <Lines text={isUnfolded || !isLong ? held.text : held.text.slice(0, start)} />
      <Failed failure={failure} />
      {isLong && !isUnfolded && (
        <button type="button" class="fold" aria-expanded={false} onClick={() => setUnfolded(true)}>
          … {countOf(held.length - start, 'more character')}
        </button>
      )}
      {isUnfolded && left > 0 && held.text !== '' && (
        <button type="button" class="fold" onClick={more}>
          Show more: {countOf(left, 'character')} left
        </button>
      )}
      {isLong && isUnfolded && !isOpen && (
        <button type="button" class="fold" aria-expanded={true} onClick={() => setUnfolded(false)}>
          Fold
        </button>
      )}
    </div>
  )
}

function foldedStart(text: string): number {
  let end = -1
  for (let line = 0; line < folded.lines; line++) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) break
  }
  return Math.min(text.length, folded.characters, end === -1 ? text.length : end)
}
