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

/** Follows the bases back to a state that is kept or to the start, and the differences from there on. */
export function stateOf(session: string, node: CheckpointNode): CheckpointState {
  if (node.state) return node.state
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
  const state: Draft = {
    versions: new Map(known?.versions),
    seen: new Map(known?.seen),
    channels: new Map(known?.channels),
  }
  for (const at of chain.reverse()) applyRecord(state, at.record)
  node.state = state
  return state
}

interface Draft {
  readonly versions: Map<string, Version>
  readonly seen: Map<string, Seen>
  readonly channels: Map<string, Channel>
}

function applyRecord(state: Draft, { versions, seen, values = {}, lists = {}, gone = {} }: CheckpointRecord): void {
  const bases = Object.entries(lists).map(([channel, steps]) => [channel, steps, listIn(state, channel)] as const)
  change(state.channels, {}, gone.values)
  for (const [channel, stored] of Object.entries(values)) state.channels.set(channel, { stored })
  for (const [channel, steps, base] of bases) state.channels.set(channel, followSteps(base, steps))
  change(state.versions, versions, gone.versions)
  change(state.seen, seen, gone.seen)
}

export function listIn(state: CheckpointState | undefined, channel: string): ListView | undefined {
  const found = state?.channels.get(channel)
  return found && isList(found) ? found : undefined
}

export function isList(channel: Channel): channel is ListView {
  return 'items' in channel
}

function change<T>(map: Map<string, T>, set: Readonly<Record<string, T>> = {}, gone: readonly string[] = []): void {
  for (const name of gone) map.delete(name)
  for (const [name, value] of Object.entries(set)) map.set(name, value)
}
