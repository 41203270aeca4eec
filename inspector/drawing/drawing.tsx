import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { SessionPaths } from '../../src/core/types.ts'
import { useWidth } from '../hooks/use-width.ts'
import { ScrollBox } from '../text/scroll-box.tsx'
import { countEntries, countOf } from '../text/words.ts'
import { EpochLine } from './epoch-line.tsx'
import { moveFocus } from './move-focus.ts'
import { placesOf, rowsOf } from './rows.ts'
import { Ruler } from './ruler.tsx'
import { makeScale } from './scale.ts'
import { edges, narrow, narrowest, wide } from './sizes.ts'
import type { Station } from './stations.ts'
import { Tracks } from './tracks.tsx'

interface Props {
  readonly paths: SessionPaths
  readonly stations: readonly Station[]
  readonly shown: string | null
  readonly compared: string | null
  readonly visit: (id: string | null, isSecond: boolean) => void
}

/** How many epochs are drawn at first. */
const mostRows = 30

/** The log from left to right, and each epoch as a line over what it reads. It is also a list, for those who hear it. */
export function Drawing({ paths, stations, shown, compared, visit }: Props) {
  const box = useRef<HTMLElement>(null)
  const width = useWidth(box)
  const [isWhole, setWhole] = useState(false)
  const all = useMemo(() => rowsOf(paths, stations), [paths, stations])
  const hidden = isWhole ? 0 : Math.max(0, all.length - mostRows)
  const rows = useMemo(() => all.slice(hidden), [all, hidden])
  const sizes = width < narrowest ? narrow : wide
  const { label } = sizes
  const scale = useMemo(
    () => makeScale(placesOf(rows, paths.end), Math.max(120, width - label - edges.left - edges.right)),
    [rows, paths.end, width, sizes],
  )
  const x = (place: number) => label + edges.left + scale.x(place)
  useLayoutEffect(() => box.current?.scrollTo({ top: box.current.scrollHeight }), [paths.epochs.length])
  return (
    <section class="drawing" aria-labelledby="drawing-title">
      <div class="drawing-head">
        <h2 id="drawing-title">The log and the paths through it</h2>
        <Legend />
      </div>
      <ScrollBox class="drawing-box" box={box} label={describe(paths)}>
        {width > 0 && (
          <div
            class={label === 0 ? 'sheet narrow' : 'sheet'}
            style={{ width: `${label + scale.width + edges.left + edges.right}px` }}
          >
            <Ruler places={placesOf(rows, paths.end)} end={paths.end} x={x} label={label} />
            {hidden > 0 && (
              <button type="button" class="earlier" onClick={() => setWhole(true)}>
                Draw {countOf(hidden, 'earlier epoch')}
              </button>
            )}
            <div class="rows">
              <Tracks rows={rows} x={x} sizes={sizes} />
              <ol onKeyDown={moveFocus}>
                {rows.map((row) => (
                  <EpochLine
                    key={row.kind === 'gap' ? `gap ${row.from}` : row.epoch.number}
                    row={row}
                    x={x}
                    shown={shown}
                    compared={compared}
                    visit={visit}
                  />
                ))}
              </ol>
            </div>
          </div>
        )}
      </ScrollBox>
    </section>
  )
}

function describe({ end, epochs, snapshots }: SessionPaths): string {
  return `A log of ${countEntries(end)}, ${countOf(epochs.length, 'epoch')}, ${countOf(snapshots.length, 'snapshot')}`
}

function Legend() {
  return (
    <ul class="legend" aria-hidden="true">
      <li class="key-now">now</li>
      <li class="key-saved">saved</li>
      <li class="key-automatic">automatic</li>
      <li class="key-summary">summary</li>
    </ul>
  )
}
