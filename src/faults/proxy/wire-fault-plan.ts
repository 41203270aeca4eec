import type { PostgresErrorReply } from './protocols/postgres-errors.ts'
import type { RedisErrorReply } from './protocols/resp.ts'
import type { WireCommand } from './protocols/wire-protocol.ts'

/** A named error, or a whole line. */
export type WireErrorReply = RedisErrorReply | PostgresErrorReply | (string & {})

/**
 * - `reset before`: the connection is reset, and the server never sees the command.
 * - `reset after`: the server executes the command, its reply is swallowed, and the connection is reset.
 * - `hang before`: a black hole; from this command on nothing reaches the server and nothing comes back.
 * - `hang after`: the server executes the command, and from then on nothing comes back.
 * - `fin before`, `fin after`: like `reset`, but the connection is closed cleanly.
 * - `half reply`: half of the bytes of the reply, then a reset.
 * - `delay`: the command is forwarded `milliseconds` later, and those after it wait.
 * - `drip`: the reply comes in pieces of `bytes`, `milliseconds` apart.
 * - `error`: the client gets the error `reply`, and the server never sees the command. In PostgreSQL, a FATAL error ends the
 *   connection, and any other aborts the transaction that the client is in.
 * - `refuse`: every connection is reset and new ones are refused, until `heal` or for `milliseconds`.
 *
 * After a reset, a close or a hang, what the client sent after the command is not forwarded either. Commands before it are answered first.
 */
export type WireFaultKind =
  | 'reset before'
  | 'reset after'
  | 'hang before'
  | 'hang after'
  | 'fin before'
  | 'fin after'
  | 'half reply'
  | 'delay'
  | 'drip'
  | 'error'
  | 'refuse'

/** Which commands count. */
export interface CountedCommands {
  /** By name, in upper or lower case. Default: all except those that clients send on their own, such as HELLO and PING, or STARTUP and SET. */
  readonly of?: string | readonly string[]
  /** And only those for which this is true. */
  readonly where?: (command: WireCommand) => boolean
}

export interface PlannedWireFault extends CountedCommands {
  readonly do: WireFaultKind
  /** The number of the command, starting at 1, among those that count, across all connections since it was armed; default 1. */
  readonly at?: number
  /** How many commands in a row are hit, `Infinity` for all that follow; default 1. */
  readonly times?: number
  /** For `delay` and `drip` (default 0), and `refuse`. */
  readonly milliseconds?: number
  /** For `drip`; default: 1, or enough to make a thousand pieces. */
  readonly bytes?: number
  /** For `error`: a named one, or the whole line. */
  readonly reply?: WireErrorReply
}

/** Random faults: the same seed gives the same faults at the same commands. */
export interface RandomWireFaults extends CountedCommands {
  readonly seed: number
  /** The fraction of commands that fail, from 0 to 1. */
  readonly rate: number
  /** One of these; default: `reset before` and `reset after`. */
  readonly kinds?: readonly WireFaultKind[]
  /** For `error`: one of these; default: all named ones. */
  readonly replies?: readonly WireErrorReply[]
}

export type WireFaultPlan = PlannedWireFault | readonly PlannedWireFault[] | RandomWireFaults

export interface SeenCommand {
  /** The number of the command, from 1, among all that the proxy saw, even those that do not count. */
  readonly index: number
  readonly name: string
  /** Counts only if a plan names it. */
  readonly isHandshake: boolean
  /** The number of its connection, from 1. */
  readonly connection: number
}

export interface FiredWireFault {
  readonly did: WireFaultKind
  readonly index: number
  readonly command: string
  readonly connection: number
}

/** What `arm` armed. */
export interface ArmedFaults {
  /** What happened so far. */
  readonly fired: readonly FiredWireFault[]
  /** What has not happened. Random faults count as one, until the first one fires. */
  readonly pending: readonly (PlannedWireFault | RandomWireFaults)[]
  /** Waits until this many fired (default 1), and returns the last one. Rejects if the proxy is closed first. */
  whenFired(count?: number): Promise<FiredWireFault>
}
