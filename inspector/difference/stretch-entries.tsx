import { useEffect, useState } from 'preact/hooks'
import type { EntriesView, EntryView } from '../../src/inspector/wire.ts'
import { ask, type Failure } from '../api.ts'
import { foldCalls } from '../conversation/fold-calls.ts'
import { Turn } from '../conversation/turn.tsx'
import { Failed } from '../text/failed.tsx'
import { countEntries } from '../text/words.ts'
import type { Stretch } from './diff-paths.ts'

interface Props {
  readonly session: string
  readonly at: string | null
  readonly stretch: Stretch
  readonly step?: number
}

/** The entries of a stretch, a few at a time. */
export function StretchEntries({ session, at, stretch, step = 20 }: Props) {
  const [entries, setEntries] = useState<readonly EntryView[]>([])
  const [failure, setFailure] = useState<Failure | null>(null)
  const [from, to] = stretch.range
  const left = to - from + 1 - entries.length
  const more = () => {
    const after = entries.at(-1)?.seq ?? stretch.after
    ask<EntriesView>('entries', { session, at, first: Math.min(step, left), after }).then(
      (page) => setEntries((before) => [...before, ...page.entries]),
      setFailure,
    )
  }
  useEffect(more, [])
  return (
    <>
      <ol class="turns">
        {foldCalls(entries).map(({ entry, answers }) => (
          <Turn key={entry.seq} session={session} at={at} entry={entry} answers={answers} />
        ))}
      </ol>
      <Failed failure={failure} />
      {left > 0 && entries.length > 0 && (
        <button type="button" class="edge" onClick={more}>
          {countEntries(left)} more
        </button>
      )}
    </>
  )
}
