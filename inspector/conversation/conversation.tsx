import { useRef } from 'preact/hooks'
import type { SessionPaths } from '../../src/core/types.ts'
import type { Wanted } from '../actions/action-dialog.tsx'
import type { Station } from '../drawing/stations.ts'
import { Failed } from '../text/failed.tsx'
import { ScrollBox } from '../text/scroll-box.tsx'
import { Edge } from './edge.tsx'
import { foldCalls } from './fold-calls.ts'
import { GoTo } from './go-to.tsx'
import { Turn } from './turn.tsx'
import { useEntries } from './use-entries.ts'
import { useSteadyScroll } from './use-steady-scroll.ts'

interface Props {
  readonly session: string
  readonly station: Station
  readonly paths: SessionPaths
  readonly want: ((wanted: Wanted) => void) | null
}

/** A state of the session as a conversation. */
export function Conversation({ session, station, paths, want }: Props) {
  const box = useRef<HTMLElement>(null)
  const target = useRef<number | null>(null)
  const keep = useRef(() => {})
  const source = {
    session,
    at: station.id,
    version: station.id ?? paths.version,
    epoch: station.id === null ? station.epoch : 0,
  }
  const held = useEntries(source, () => keep.current())
  const { entries, isStart, isEnd, isLoaded, failure } = held
  keep.current = useSteadyScroll(box, entries, target)
  const goTo = (seq: number) => {
    target.current = seq
    held.toSeq(seq)
  }
  return (
    <section class="conversation" aria-labelledby="conversation-title">
      <div class="conversation-head">
        <h2 id="conversation-title">Conversation</h2>
        <GoTo end={station.last} onStart={held.toStart} onEnd={held.toEnd} onSeq={goTo} />
      </div>
      <Failed failure={failure} retry={held.toEnd} />
      <ScrollBox class="turns-box" box={box} label="Entries">
        {!isStart && <Edge text="Show older entries" onReach={held.older} />}
        {isLoaded && failure === null && entries.length === 0 && <p class="quiet">It reads no entries.</p>}
        <ol class="turns">
          {foldCalls(entries).map(({ entry, answers }) => (
            <Turn
              key={entry.seq}
              session={session}
              at={station.id}
              entry={entry}
              answers={answers}
              want={station.id === null ? want : null}
            />
          ))}
        </ol>
        {!isEnd && <Edge text="Show newer entries" onReach={held.newer} />}
      </ScrollBox>
    </section>
  )
}
