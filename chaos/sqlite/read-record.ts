import { readFileSync } from 'node:fs'

/**
 * One call of a recorded process. A line each: a letter, two numbers and a path, then as many bytes as the second number says.
 *
 * - `C`: created. `W`: written at `place`. `T`: cut to `place`. `S`: synced. `U`: removed. `R`: renamed to `data`. `M`: a mark, in `data`.
 */
export interface Recorded {
  readonly kind: 'C' | 'W' | 'T' | 'S' | 'U' | 'R' | 'M'
  readonly path: string
  readonly place: number
  readonly data: Buffer
}

export function readRecord(file: string): Recorded[] {
  const bytes = readFileSync(file)
  const calls: Recorded[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at)
    const [kind = '', place = '', length = '', ...path] = bytes.toString('utf8', at, end).split(' ')
    const from = end + 1
    at = from + Number(length)
    calls.push({
      kind: kind as Recorded['kind'],
      path: path.join(' '),
      place: Number(place),
      data: bytes.subarray(from, at),
    })
  }
  return calls
}
