const slot = Symbol.for('unforget.golden.killPoint')

/** Set in a process that is to be killed at a point. Global, so that every copy of this package finds it. */
export interface KillPoint {
  readonly name: string
  /** Tells the parent, and does not return. */
  readonly wait: () => void
}

type Holder = { [slot]?: KillPoint }

export function setKillPoint(point: KillPoint): void {
  ;(globalThis as Holder)[slot] = point
}

/**
 * A named point of a program, at which `snapshotDb.process(…, { killAt: name })` kills it with SIGKILL. The program waits there until it
 * dies. Does nothing anywhere else.
 */
export function reach(name: string): void {
  const point = (globalThis as Holder)[slot]
  if (point?.name === name) point.wait()
}
