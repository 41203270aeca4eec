import { MemoryLostError } from '../../core/errors.ts'
import { followSteps, type ListView } from './list-view.ts'
import type { CheckpointRecord, Seen, Stored, Version } from './records.ts'

/** A channel's value: opaque, or a list. */
export type Channel = { readonly stored: Stored } | ListView

/** Everything that a checkpoint holds. */
export interface CheckpointState {
  readonly versions: ReadonlyMap<string, Version>
  readonly seen: ReadonlyMap<string, Seen>
  readonly channels: ReadonlyMap<string, Channel>
}

/** A checkpoint of a thread. */
export interface CheckpointNode {
  readonly record: CheckpointRecord
  /** The entry that holds it. */
  readonly seq: number
  /** Counts the puts of the thread. */
  readonly order: number
  /** What it is a difference to: the checkpoint that had that id when this one was put. */
  readonly base: CheckpointNode | undefined
  /** While it is kept. */
  state?: CheckpointState | undefined
}

const nothing: CheckpointState = { versions: new Map(), seen: new Map(), channels: new Map() }

/** Follows the bases back to a state that is kept or to the start, and the differences from there on. */
export function stateOf(session: string, node: CheckpointNode): CheckpointState {
  const chain: CheckpointNode[] = []
  let known: CheckpointState | undefined
  for (let at: CheckpointNode | undefined = node; at !== undefined && known === undefined; at = at.base) {
    known = at.state
    if (known === undefined) {
      chain.push(at)
      if (at.record.base !== undefined && at.base === undefined) {
        const { id, base } = at.record
        throw new MemoryLostError(session, [at.seq], `checkpoint ${id} continues ${base}, which is not there`)
      }
    }
  }
  let state = known ?? nothing
  for (const at of chain.reverse()) state = applyRecord(state, at.record)
  node.state = state
  return state
}

function applyRecord(base: CheckpointState, record: CheckpointRecord): CheckpointState {
  const { versions, seen, values = {}, lists = {}, gone = {} } = record
  const channels = changed(base.channels, {}, gone.values)
  for (const [channel, stored] of Object.entries(values)) channels.set(channel, { stored })
  for (const [channel, steps] of Object.entries(lists)) {
    channels.set(channel, followSteps(listIn(base, channel), steps))
  }
  return {
    versions: changed(base.versions, versions, gone.versions),
    seen: changed(base.seen, seen, gone.seen),
    channels,
  }
}

export function listIn(state: CheckpointState | undefined, channel: string): ListView | undefined {
  const found = state?.channels.get(channel)
  return found && isList(found) ? found : undefined
}

export function isList(channel: Channel): channel is ListView {
  return 'items' in channel
}

function changed<T>(
  base: ReadonlyMap<string, T>,
  set: Readonly<Record<string, T>> = {},
  gone: readonly string[] = [],
): Map<string, T> {
  const result = new Map(base)
  for (const name of gone) result.delete(name)
  for (const [name, value] of Object.entries(set)) result.set(name, value)
  return result
}
