/** What a part of a run is told. */
export interface Context {
  /** Its own, and empty. */
  readonly folder: string
  readonly seed: number
  /** When to end, by the wall clock, whatever is left to do. */
  readonly until: number
  /** How much to do at most: rounds, states, kills or failovers. */
  readonly most: number
  /** Says how far it is. */
  readonly tell: (line: string) => void
}

export interface PartResult {
  /** What was done, how often. Runs add up. */
  readonly figures: Readonly<Record<string, number>>
  /** What was found, with the seed and a minimal history. Empty: nothing was lost, doubled or wrong. */
  readonly problems: readonly string[]
}

export interface Part {
  readonly name: string
  /** What it does, in one line. */
  readonly what: string
  /** How much it does if it is not told. */
  readonly most: number
  readonly run: (context: Context) => Promise<PartResult>
}
