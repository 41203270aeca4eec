import { isDeepStrictEqual } from 'node:util'
import type { ChannelVersions, Checkpoint, CheckpointMetadata } from '@langchain/langgraph-checkpoint'
import { type CheckpointState, listIn } from './checkpoint-state.ts'
import type { Codec } from './codec.ts'
import { itemsOf, stepsTo } from './list-view.ts'
import {
  type CheckpointRecord,
  checkpointType,
  type ListStep,
  packTime,
  type Seen,
  type Stored,
  type Version,
} from './records.ts'

/** A checkpoint to put. */
export interface Putting {
  readonly ns: string
  readonly parent: string | undefined
  readonly checkpoint: Checkpoint
  readonly metadata: CheckpointMetadata
  readonly newVersions: ChannelVersions
}

export interface MadeRecord {
  readonly record: CheckpointRecord
  /** The JSON of the lists that it holds or continues. */
  readonly json: ReadonlyMap<string, Buffer>
}

/**
 * The record of a checkpoint, as a difference to the state of its parent if there is one. `isKnown` says whether some checkpoint of the namespace has a
 * version of a channel.
 */
export async function makeRecord(
  { ns, parent, checkpoint, metadata, newVersions }: Putting,
  base: CheckpointState | undefined,
  isKnown: (channel: string, version: Version) => boolean,
  codec: Codec,
): Promise<MadeRecord> {
  const values: [string, Stored][] = []
  const lists: [string, ListStep[]][] = []
  const kept = new Set<string>()
  const json = new Map<string, Buffer>()
  for (const [channel, value] of Object.entries(checkpoint.channel_values)) {
    const version = checkpoint.channel_versions[channel]
    const isNew = Object.hasOwn(newVersions, channel) || version === undefined
    if (!isNew && base?.channels.has(channel) && base.versions.get(channel) === version) {
      kept.add(channel)
      continue
    }
    // Without a parent, a channel that is not said to be new must have been put before.
    if (!isNew && parent === undefined && !isKnown(channel, version)) continue
    kept.add(channel)
    const place = `channel_values.${channel}`
    if (Array.isArray(value)) {
      const before = listIn(base, channel)
      const list = await stepsTo(value, before, codec, place)
      if (before === undefined || !isWhole(list.steps, before.length)) lists.push([channel, list.steps])
      if (list.json) json.set(channel, list.json)
      continue
    }
    const dumped = await codec.dump(value, place)
    if (!(await isSameValue(base, channel, dumped.text, codec))) values.push([channel, dumped.stored])
  }
  const versions = differences(base?.versions, checkpoint.channel_versions)
  const seen = differences<Seen>(base?.seen, checkpoint.versions_seen)
  const goneValues = [...(base?.channels.keys() ?? [])].filter((channel) => !kept.has(channel))
  const gone = {
    ...(versions.gone.length > 0 && { versions: versions.gone }),
    ...(seen.gone.length > 0 && { seen: seen.gone }),
    ...(goneValues.length > 0 && { values: goneValues }),
  }
  const record: CheckpointRecord = {
    type: checkpointType,
    ...(ns !== '' && { ns }),
    id: checkpoint.id,
    ...(parent !== undefined && (base ? { base: parent } : { parent })),
    ...(checkpoint.v !== 4 && { v: checkpoint.v }),
    ts: packTime(checkpoint.ts),
    metadata: (await codec.dump(metadata, 'metadata')).stored,
    ...(versions.set.length > 0 && { versions: Object.fromEntries(versions.set) }),
    ...(seen.set.length > 0 && { seen: Object.fromEntries(seen.set) }),
    ...(values.length > 0 && { values: Object.fromEntries(values) }),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
    ...(Object.keys(gone).length > 0 && { gone }),
  }
  return { record, json }
}

/** Whether the steps copy a list of that length and change nothing. */
function isWhole(steps: readonly ListStep[], length: number): boolean {
  const [first, ...others] = steps
  if (first === undefined) return length === 0
  return others.length === 0 && first.length === 2 && first[0] === 0 && first[1] === length
}

/** Everything that a state holds, resting on nothing. */
export function wholeRecord(record: CheckpointRecord, state: CheckpointState): CheckpointRecord {
  const { type, ns, id, base, parent = base, v, ts, metadata } = record
  const values: [string, Stored][] = []
  const lists: [string, ListStep[]][] = []
  for (const [channel, value] of state.channels) {
    if ('stored' in value) values.push([channel, value.stored])
    else lists.push([channel, [[0, 0, ...itemsOf(value)]]])
  }
  return {
    type,
    ...(ns !== undefined && { ns }),
    id,
    ...(parent !== undefined && { parent }),
    ...(v !== undefined && { v }),
    ts,
    metadata,
    versions: Object.fromEntries(state.versions),
    seen: Object.fromEntries(state.seen),
    values: Object.fromEntries(values),
    lists: Object.fromEntries(lists),
  }
}

async function isSameValue(base: CheckpointState | undefined, channel: string, text: string | null, codec: Codec) {
  const before = base?.channels.get(channel)
  if (before === undefined || !('stored' in before) || text === null) return false
  return (await codec.textOf(before.stored)) === text
}

function differences<T>(before: ReadonlyMap<string, T> = new Map(), now: Readonly<Record<string, T>>) {
  return {
    set: Object.entries(now).filter(([name, value]) => !isDeepStrictEqual(before.get(name), value)),
    gone: [...before.keys()].filter((name) => !Object.hasOwn(now, name)),
  }
}
