import { type ClosedRange, countEntries as countIn } from '../../src/core/path.ts'
import { diffPaths, type Stretch } from '../difference/diff-paths.ts'
import { StretchEntries } from '../difference/stretch-entries.tsx'
import type { Station } from '../drawing/stations.ts'
import { ScrollBox } from '../text/scroll-box.tsx'
import { countEntries } from '../text/words.ts'

interface Props {
  readonly session: string
  readonly now: Station
  /** The state that it will be in, and the snapshot to read it from. */
  readonly then: { readonly id: string | null; readonly ranges: readonly ClosedRange[] }
}

/** What a change of the path takes away and brings back. */
export function Changes({ session, now, then }: Props) {
  const stretches = diffPaths(now.ranges, then.ranges)
  const away = stretches.filter(({ side }) => side === 'left')
  const back = stretches.filter(({ side }) => side === 'right')
  return (
    <div class="changes">
      <p>
        It reads {countEntries(now.entries)} now, and will read {countEntries(countIn(then.ranges))}.
        {away.length + back.length === 0 && ' Nothing changes.'}
      </p>
      <List session={session} at={now.id} sign="away" stretches={away} />
      <List session={session} at={then.id} sign="back" stretches={back} />
    </div>
  )
}

interface ListProps {
  readonly session: string
  readonly at: string | null
  readonly sign: 'away' | 'back'
  readonly stretches: readonly Stretch[]
}

function List({ session, at, sign, stretches }: ListProps) {
  if (stretches.length === 0) return null
  const count = countEntries(countIn(stretches.map(({ range }) => range)))
  return (
    <section class={sign}>
      <h3>{sign === 'away' ? `Takes away ${count}` : `Brings back ${count}`}</h3>
      <ScrollBox class="changes-box" label={count}>
        {stretches.slice(0, 10).map((stretch) => (
          <StretchEntries key={stretch.range[0]} session={session} at={at} stretch={stretch} step={5} />
        ))}
      </ScrollBox>
    </section>
  )
}
