/** A published store under proof. */
export interface Peer {
  /** Of its store module and its reproductions. */
  readonly id: string
  readonly name: string
  /** How it is imported. */
  readonly from: string
  readonly packages: readonly string[]
  /** What it keeps its memory on: started for it, and named in `REDIS_URL`. */
  readonly server?: 'redis'
  /** Cases that wait until their deadline for what the store cannot do. They are told apart and not counted. */
  readonly unfinished?: readonly string[]
  /** Cases that do not end the same in every run. They are told apart and not counted. */
  readonly unsteady?: readonly string[]
  /** What its own documentation says of what it is for, and how it was opened. */
  readonly about: readonly string[]
  readonly findings: readonly Finding[]
}

/** One cause, the clauses it breaks, and a few lines that show it without the kit. */
export interface Finding {
  /** File name of the reproduction without its ending. */
  readonly reproduction: string
  /** None if no clause is broken. */
  readonly clauses: readonly string[]
  /** The cases of those clauses that fail. */
  readonly cases: readonly string[]
  /** Cases of other clauses that fail for the same reason. */
  readonly stopped?: readonly string[]
  readonly note: string
}
