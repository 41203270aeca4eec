import type { PostgresErrorReply } from './protocols/postgres-errors.ts'
import type { RedisErrorReply } from './protocols/resp.ts'
import type { WireCommand } from './protocols/wire-protocol.ts'

/** Of those known by name, or as a whole line. */
export type WireErrorReply = RedisErrorReply | PostgresErrorReply | (string & {})

/**
 * - `reset before`: the connection is reset, and the server never hears of the command.
 * - `reset after`: the server carries the command out, its reply is swallowed, and the connection is reset.
 * - `hang before`: a black hole; from this command on nothing reaches the server and nothing comes back.
 * - `hang after`: the server carries the command out, and from then on nothing comes back.
 * - `fin before`, `fin after`: as with `reset`, but the connection ends in order.
 * - `half reply`: half of the bytes of the reply, then a reset.
 * - `delay`: the command is forwarded `milliseconds` later, and those after it wait.
 * - `drip`: the reply comes in pieces of `bytes`, `milliseconds` apart.
 * - `error`: the client is answered with an error `reply`, and the server never hears of the command. Of PostgreSQL, one that is FATAL ends the
 *   connection, and any other aborts the transaction that the client is in.
 * - `refuse`: every connection is reset and new ones are refused, until `heal` or for `milliseconds`.
 *
 * After a reset, an end or a hang, what the client had sent behind the command is not forwarded either. Commands before it are answered first.
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
  /** By name, in capitals or not. Where it is not given: all but those that clients send on their own account, such as HELLO and PING, or STARTUP and SET. */
  readonly of?: string | readonly string[]
  /** And only those for which this is true. */
  readonly where?: (command: WireCommand) => boolean
}

export interface PlannedWireFault extends CountedCommands {
  readonly do: WireFaultKind
  /** At the n-th command, from 1, of those that count, over all connections since it was armed; 1 where it is not given. */
  readonly at?: number
  /** And at so many commands after it, for ever with `Infinity`; 1 where it is not given. */
  readonly times?: number
  /** For `delay` and `drip` (0 where it is not given), and `refuse`. */
  readonly milliseconds?: number
  /** For `drip`; where it is not given, 1, or as many as make a thousand pieces. */
  readonly bytes?: number
  /** For `error`: one that is known by its name, or the whole line. */
  readonly reply?: WireErrorReply
}

/** Faults at random: the same seed, the same faults at the same commands. */
export interface RandomWireFaults extends CountedCommands {
  readonly seed: number
  /** Which share of the commands fail, from 0 to 1. */
  readonly rate: number
  /** One of these; `reset before` and `reset after` where it is not given. */
  readonly kinds?: readonly WireFaultKind[]
  /** For `error`: one of these; all that are known by name where it is not given. */
  readonly replies?: readonly WireErrorReply[]
}

export type WireFaultPlan = PlannedWireFault | readonly PlannedWireFault[] | RandomWireFaults

export interface SeenCommand {
  /** Which command it was, from 1, of all that the proxy saw: those that do not count, too. */
  readonly index: number
  readonly name: string
  /** It counts only where a plan names it. */
  readonly isHandshake: boolean
  /** Which connection it came over, from 1. */
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
  /** What has not happened; faults at random as a whole, while none of them has. */
  readonly pending: readonly (PlannedWireFault | RandomWireFaults)[]
  /** Waits until so many happened, 1 where it is not given, and returns the last of these. Rejects when the proxy is closed before. */
  whenFired(count?: number): Promise<FiredWireFault>
}
