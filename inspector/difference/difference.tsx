import { countEntries as countIn } from '../../src/core/path.ts'
import type { Station } from '../drawing/stations.ts'
import { Line } from '../text/visible.tsx'
import { countEntries } from '../text/words.ts'
import { diffPaths, type Stretch } from './diff-paths.ts'
import { StretchEntries } from './stretch-entries.tsx'

interface Props {
  readonly session: string
  readonly left: Station
  readonly right: Station
}

/** Two states side by side: what only one of them reads, and in between, folded, what both do. */
export function Difference({ session, left, right }: Props) {
  const rows = pair(diffPaths(left.ranges, right.ranges))
  return (
    <section class="difference" aria-labelledby="difference-title">
      <h2 id="difference-title" class="unseen">
        Difference
      </h2>
      <div class="sides heads">
        <h3>
          <Line text={left.label} />
        </h3>
        <h3>
          <Line text={right.label} />
        </h3>
      </div>
      {rows.length === 0 && <p class="quiet">Both read nothing.</p>}
      {rows.every(({ both }) => both !== undefined) && rows.length > 0 && <p class="quiet">Both read the same.</p>}
      {rows.map(({ both, lefts, rights }, index) =>
        both !== undefined ? (
          <details key={`${both.range[0]} both`} class="both">
            <summary>
              {countEntries(countIn([both.range]))} in both: {both.range[0]} to {both.range[1]}
            </summary>
            <StretchEntries session={session} at={left.id} stretch={both} />
          </details>
        ) : (
          <div key={index} class="sides">
            <Side session={session} station={left} stretches={lefts} />
            <Side session={session} station={right} stretches={rights} />
          </div>
        ),
      )}
    </section>
  )
}

function Side({ session, station, stretches }: { session: string; station: Station; stretches: readonly Stretch[] }) {
  return (
    <div class={stretches.length === 0 ? 'side empty' : 'side'}>
      <p class="quiet">
        {stretches.length === 0 ? 'not in ' : `${countEntries(countIn(stretches.map(({ range }) => range)))} only in `}
        <Line text={station.label} />
      </p>
      {stretches.map((stretch) => (
        <StretchEntries key={stretch.range[0]} session={session} at={station.id} stretch={stretch} />
      ))}
    </div>
  )
}

interface DiffRow {
  readonly both?: Stretch
  readonly lefts: Stretch[]
  readonly rights: Stretch[]
}

function pair(stretches: readonly Stretch[]): DiffRow[] {
  const rows: DiffRow[] = []
  for (const stretch of stretches) {
    const last = rows.at(-1)
    if (stretch.side === 'both') rows.push({ both: stretch, lefts: [], rights: [] })
    else {
      const row = last !== undefined && last.both === undefined ? last : { lefts: [], rights: [] }
      if (row !== last) rows.push(row)
      row[stretch.side === 'left' ? 'lefts' : 'rights'].push(stretch)
    }
  }
  return rows
}
