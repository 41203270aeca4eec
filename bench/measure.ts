/** Does its part of a round and returns the milliseconds that one operation took. */
export type Side = () => number | Promise<number>

export interface Effort {
  /** Rounds that are run and not counted. */
  readonly warmUp: number
  readonly rounds: number
  /** How many parts a round has; it alternates between the two sides. */
  readonly parts: number
}

export interface Spread {
  readonly min: number
  readonly q1: number
  readonly median: number
  readonly q3: number
  readonly max: number
}

export interface Round {
  readonly ours: number
  readonly baseline: number
}

/** No row goes on for longer, however slow the disk: it ends with the rounds it has, if they are enough. */
const longestRow = 60_000
const fewestRounds = 5

/**
 * Runs both sides in turn, now one first, now the other, in short parts, so that whatever else the machine does falls on both alike. A
 * round is long enough to hold what does not happen every time, such as a checkpoint.
 */
export async function alternate(ours: Side, baseline: Side, { warmUp, rounds, parts }: Effort): Promise<Round[]> {
  const measured: Round[] = []
  const giveUp = performance.now() + longestRow
  for (let round = -warmUp; round < rounds; round++) {
    const late = performance.now() > giveUp
    if (late && round < 0) continue
    if (late && measured.length >= fewestRounds) break
    const sum = { ours: 0, baseline: 0 }
    for (let part = 0; part < parts; part++) {
      const oursFirst = part % 2 === 0
      if (oursFirst) sum.ours += await ours()
      sum.baseline += await baseline()
      if (!oursFirst) sum.ours += await ours()
    }
    if (round >= 0) measured.push({ ours: sum.ours / parts, baseline: sum.baseline / parts })
  }
  return measured
}

/** For figures without a baseline. */
export async function repeat(side: Side, { warmUp, rounds }: Omit<Effort, 'parts'>): Promise<number[]> {
  const measured: number[] = []
  for (let round = -warmUp; round < rounds; round++) {
    const milliseconds = await side()
    if (round >= 0) measured.push(milliseconds)
  }
  return measured
}

/** Runs an operation repeatedly, one call after another. */
export async function timeEach(times: number, operation: (index: number) => unknown): Promise<number> {
  const started = performance.now()
  for (let index = 0; index < times; index++) await operation(index)
  return (performance.now() - started) / times
}

/** The same for a client that is synchronous, which must not pay for promises. */
export function timeEachSync(times: number, operation: (index: number) => unknown): number {
  const started = performance.now()
  for (let index = 0; index < times; index++) operation(index)
  return (performance.now() - started) / times
}

/** The same in milliseconds of processor time, for an operation that does `parts` at once. */
export async function cpuOfEach(times: number, parts: number, operation: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  for (let index = 0; index < times; index++) await operation()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / (times * parts)
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number): number => {
    const place = share * (sorted.length - 1)
    const below = sorted[Math.floor(place)] ?? Number.NaN
    const above = sorted[Math.ceil(place)] ?? Number.NaN
    return below + (above - below) * (place - Math.floor(place))
  }
  return { min: at(0), q1: at(0.25), median: at(0.5), q3: at(0.75), max: at(1) }
}
