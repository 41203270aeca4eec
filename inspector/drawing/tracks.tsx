import type { EpochRow, Row } from './rows.ts'
import type { Sizes } from './sizes.ts'

interface Props {
  readonly rows: readonly Row[]
  readonly x: (place: number) => number
  readonly sizes: Sizes
}

/** The lines of the drawing, without words. */
export function Tracks({ rows, x, sizes }: Props) {
  const y = (index: number) => index * sizes.row + sizes.line
  const rowOf = (epoch: number) => rows.findIndex((row) => row.kind === 'epoch' && row.epoch.number === epoch)
  return (
    <svg class="tracks" aria-hidden="true" width="100%" height={rows.length * sizes.row}>
      {rows.map((row, index) =>
        row.kind === 'gap' ? (
          <line
            key={`gap ${row.from}`}
            class="gap"
            x1={x(0)}
            x2={x(Number.MAX_SAFE_INTEGER)}
            y1={y(index)}
            y2={y(index)}
          />
        ) : (
          <g key={row.epoch.number} class={row.epoch.present ? 'track present' : 'track'}>
            {row.source !== null && rowOf(row.source.epoch) !== -1 && (
              <path
                class="brought"
                d={bend(x(row.source.last), y(rowOf(row.source.epoch)), x(row.source.last), y(index))}
              />
            )}
            {row.began !== null && index > 0 && (
              <path class="fell" d={`M${x(row.began)} ${y(index - 1)}V${y(index)}`} />
            )}
            <Span row={row} x={x} y={y(index)} />
            {row.ranges.map(([from, to]) => (
              <line key={from} class="reads" x1={x(from - 1)} x2={x(to)} y1={y(index)} y2={y(index)} />
            ))}
            {row.until !== null && (
              <line class="left" x1={x(lastOf(row))} x2={x(row.until)} y1={y(index)} y2={y(index)} />
            )}
            {row.summary !== null && <Diamond x={(x(row.summary - 1) + x(row.summary)) / 2} y={y(index)} />}
          </g>
        ),
      )}
    </svg>
  )
}

/** A thin line from the first to the last place, over what is not read. */
function Span({ row, x, y }: { row: EpochRow; x: (place: number) => number; y: number }) {
  const places = [...row.ranges.flatMap(([from, to]) => [from - 1, to]), ...(row.began === null ? [] : [row.began])]
  if (places.length === 0) return null
  return <line class="skips" x1={x(Math.min(...places))} x2={x(Math.max(...places))} y1={y} y2={y} />
}

function Diamond({ x, y }: { x: number; y: number }) {
  return <path class="summary" d={`M${x} ${y - 9}l9 9l-9 9l-9 -9z`} />
}

function lastOf({ ranges, began }: EpochRow): number {
  return Math.max(began ?? 0, ...ranges.map(([, to]) => to))
}

function bend(x1: number, y1: number, x2: number, y2: number): string {
  const out = Math.min(22, (y2 - y1) / 2)
  return `M${x1} ${y1}C${x1 + out} ${y1 + (y2 - y1) / 3} ${x2 + out} ${y2 - (y2 - y1) / 3} ${x2} ${y2}`
}
