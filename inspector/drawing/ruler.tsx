import { showNumber } from '../text/words.ts'

interface Props {
  readonly places: readonly number[]
  readonly end: number
  readonly x: (place: number) => number
  readonly label: number
}

/** The log itself, with the numbers of the entries where something happened. */
export function Ruler({ places, end, x, label }: Props) {
  const marks = marksOf(places, end, x)
  return (
    <div class="ruler" aria-hidden="true">
      {label > 0 && <span class="ruler-label">log</span>}
      <svg width="100%" height="34" aria-hidden="true">
        <line class="log" x1={x(0)} x2={x(end)} y1="26" y2="26" />
        {end <= 400 &&
          Array.from({ length: end + 1 }, (_, place) => (
            <line key={place} class="tick" x1={x(place)} x2={x(place)} y1="23" y2="29" />
          ))}
        {marks.map((place) => (
          <g key={place}>
            <line class="mark" x1={x(place)} x2={x(place)} y1="20" y2="32" />
            <text x={x(place)} y="14" text-anchor="middle">
              {place === 0 ? 'start' : showNumber(place)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

/** Those that fit next to each other; the ends always. */
function marksOf(places: readonly number[], end: number, x: (place: number) => number): number[] {
  const chosen = [0]
  for (const place of [...new Set(places)].sort((a, b) => a - b)) {
    const room = 14 + 7 * String(place).length
    if (x(place) - x(chosen.at(-1) ?? 0) >= room && (place === end || x(end) - x(place) >= room)) chosen.push(place)
  }
  return chosen
}
