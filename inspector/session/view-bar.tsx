import type { Wanted } from '../actions/action-dialog.tsx'
import type { Station } from '../drawing/stations.ts'
import { Line } from '../text/visible.tsx'
import { countEntries, showTime } from '../text/words.ts'

interface Props {
  readonly stations: readonly Station[]
  readonly shown: Station | undefined
  readonly other: Station | undefined
  readonly visit: (id: string | null, isSecond: boolean) => void
  readonly want: ((wanted: Wanted) => void) | null
}

/** Says which state is shown, and what can be done with it. */
export function ViewBar({ stations, shown, other, visit, want }: Props) {
  if (shown === undefined) return null
  const others = stations.filter((station) => station !== shown).reverse()
  return (
    <section class="view-bar" aria-label="What is shown">
      <p>
        {other === undefined ? 'Showing ' : 'Comparing '}
        <StationName station={shown} />
        {other !== undefined && (
          <>
            {' with '}
            <StationName station={other} />
          </>
        )}
      </p>
      <div class="actions">
        {(shown.id !== null || other !== undefined) && (
          <button type="button" onClick={() => visit(null, false)}>
            Back to now
          </button>
        )}
        {shown.id !== null && other === undefined && want !== null && (
          <>
            <button type="button" class="primary" onClick={() => want({ kind: 'rollback', station: shown })}>
              Roll back to this
            </button>
            <button type="button" onClick={() => want({ kind: 'fork', station: shown })}>
              Fork this
            </button>
          </>
        )}
        {others.length > 0 && (
          <label class="compare">
            Compare with
            <select
              value={other === undefined ? '' : String(others.indexOf(other))}
              onChange={(event) => {
                const chosen = others[Number(event.currentTarget.value)]
                if (event.currentTarget.value !== '' && chosen !== undefined) visit(chosen.id, true)
                else visit(shown.id, false)
              }}
            >
              <option value="">nothing</option>
              {others.map((station, index) => (
                <option key={station.id} value={String(index)}>
                  {nameOf(station)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </section>
  )
}

function StationName({ station }: { station: Station }) {
  return (
    <>
      <strong>
        <Line text={station.label} />
      </strong>{' '}
      <span class="quiet">
        ({countEntries(station.entries)}
        {station.at !== null && `, ${showTime(station.at)}`})
      </span>
    </>
  )
}

function nameOf({ label, entries, at }: Station): string {
  return `${label.slice(0, 60)} (${countEntries(entries)}${at === null ? '' : `, ${showTime(at)}`})`
}
