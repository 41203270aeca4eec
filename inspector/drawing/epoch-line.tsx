import { describeRanges } from '../../src/core/path.ts'
import { Line } from '../text/visible.tsx'
import { countEntries, showTime } from '../text/words.ts'
import type { EpochRow, Row } from './rows.ts'
import type { Station } from './stations.ts'

interface Props {
  readonly row: Row
  readonly x: (place: number) => number
  readonly shown: string | null
  readonly compared: string | null
  readonly visit: (id: string | null, isSecond: boolean) => void
}

const causes = {
  begin: 'began',
  rollback: 'rollback',
  rewind: 'rewind',
  trim: 'trim',
  clear: 'clear',
  compact: 'compaction',
}
const signs = { begin: '', rollback: '↩', rewind: '⟲', trim: '✂', clear: '∅', compact: '◆' }

/** One line of the drawing: what began it, and its stations. */
export function EpochLine({ row, x, shown, compared, visit }: Props) {
  if (row.kind === 'gap') {
    const numbers = row.from === row.to ? `Epoch ${row.from} was` : `Epochs ${row.from} to ${row.to} were`
    return <li class="epoch swept">{numbers} swept</li>
  }
  const { epoch, stations, began } = row
  const cause = epoch.cause === null ? '' : causes[epoch.cause]
  return (
    <li class={epoch.present ? 'epoch present' : 'epoch'}>
      <p class="epoch-label">
        <span class="epoch-cause">{cause === '' ? `epoch ${epoch.number}` : cause}</span>{' '}
        <span class="epoch-time">{epoch.at !== null && showTime(epoch.at)}</span>
        <span class="unseen">{describe(row)}</span>
      </p>
      {began !== null && epoch.cause !== null && epoch.cause !== 'compact' && (
        <span
          class="event"
          aria-hidden="true"
          style={{ left: `${x(began) + (stations.some(({ last }) => last === began) ? 26 : 0)}px` }}
          title={cause}
        >
          {signs[epoch.cause]}
        </span>
      )}
      {stations.length > 0 && (
        <ul class="stations">
          {stations.map((station, index) => (
            <StationButton
              key={station.id}
              station={station}
              left={x(station.last) + 15 * sameBefore(stations, index)}
              room={roomBefore(stations, index, x)}
              role={roleOf(station, shown, compared)}
              visit={visit}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

interface StationProps {
  readonly station: Station
  readonly left: number
  readonly room: number
  readonly role: 'shown' | 'compared' | 'other'
  readonly visit: Props['visit']
}

function StationButton({ station, left, room, role, visit }: StationProps) {
  const { id, kind, label, at, entries, last } = station
  const saved = at === null ? '' : `, ${kind === 'automatic' ? 'kept' : 'saved'} ${showTime(at)}`
  const title = `${label}: ${countEntries(entries)}${last > 0 ? ` up to entry ${last}` : ''}${saved}`
  return (
    <li style={{ left: `${left}px` }} class={`stop ${kind} ${role}${room < 40 ? ' tight' : ''}`}>
      <button
        type="button"
        class="station"
        aria-pressed={role !== 'other'}
        title={`${title}. Shift and click to compare.`}
        onClick={(event) => visit(id, event.shiftKey)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !event.shiftKey) return
          event.preventDefault()
          visit(id, true)
        }}
      >
        <span class="dot" aria-hidden="true" />
        <span class="stop-label" style={{ maxWidth: `${Math.max(room, 64)}px` }}>
          <span class="unseen">
            {kind === 'now' ? 'State ' : kind === 'saved' ? 'Snapshot ' : 'Automatic snapshot '}
          </span>
          <Line text={label} />
          <span class="unseen">
            , {countEntries(entries)}
            {last > 0 && ` up to entry ${last}`}
            {saved}
          </span>
        </span>
      </button>
    </li>
  )
}

function describe({ epoch: { number, present }, ranges, source }: EpochRow): string {
  const reads = ranges.length === 0 ? 'nothing' : `entries ${describeRanges(ranges)}`
  const from = source === null ? '' : `, which brought back ${source.label}`
  return `. Epoch ${number}${present ? ', the present one' : ''}${from}, reads ${reads}.`
}

function roleOf({ id }: Station, shown: string | null, compared: string | null): StationProps['role'] {
  if (id === shown) return 'shown'
  return compared !== null && (id ?? '') === compared ? 'compared' : 'other'
}

/** How wide its label may be, in pixels. */
function roomBefore(stations: readonly Station[], index: number, x: (place: number) => number): number {
  const own = x(stations[index]?.last ?? 0)
  const before = stations
    .map(({ last }) => x(last))
    .filter((other, place) => other < own || (other === own && place < index))
  return Math.min(220, own - Math.max(x(0) - 60, ...before) - 10)
}

/** How many stations before it are at the same place. */
function sameBefore(stations: readonly Station[], index: number): number {
  return stations.slice(0, index).filter(({ last }) => last === stations[index]?.last).length
}
