import { noAbout, takesBack } from '../../core/advance.ts'
import type { Change, EncodedEntry, NewPath, SessionAbout, SessionContent, StagedEntry } from '../../core/backend.ts'
import { valuesOfHead } from '../../core/head-values.ts'
import { makeNonce } from '../../core/make-nonce.ts'
import type { PathPlan } from '../../core/path.ts'
import { pathToText } from '../../core/path-text.ts'
import { isPlainMessage } from '../../core/seal-entry.ts'
import { tokenToText } from '../../core/session-state.ts'
import { textToJson } from '../../core/text-json.ts'
import type { Arguments } from './call-function.ts'
import { keyOf, shortKeyOf } from './hash.ts'

/** The arguments of `apply_change` by their names. */
export function changeArguments(session: string, change: Change): Arguments {
  const { operation, ttl, append, path, putSnapshot, dropSnapshots, begin, describe, restore, staged } = change
  return {
    key: keyOf(session),
    id: Buffer.from(session),
    operation: shortKeyOf(operation.id),
    digest: operation.digest,
    answer: textToJson(operation.answer ?? null),
    nonce: makeNonce(),
    ...(ttl !== undefined && { ttl }),
    ...entryArguments(restore?.entries ?? append ?? []),
    ...conditionArguments(change),
    ...(path && pathArguments(path)),
    ...(putSnapshot && {
      put_key: shortKeyOf(putSnapshot.id),
      put_id: Buffer.from(putSnapshot.id),
      put_label: textToJson(putSnapshot.label),
      put_automatic: putSnapshot.automatic,
    }),
    ...(dropSnapshots && dropSnapshots.length > 0 && { drop_keys: dropSnapshots.map(shortKeyOf) }),
    ...expiry(change),
    ...((begin || describe) && { about: aboutTexts({ ...noAbout, ...begin, ...describe }) }),
    ...(describe && { described: Object.keys(describe) }),
    ...(restore && restoring(restore)),
    ...(staged && { copy: shortKeyOf(staged.copy), staged: staged.count }),
  }
}

/** The arguments of `stage` by their names. */
export function stageArguments(copy: string, entries: readonly StagedEntry[]): Arguments {
  return {
    copy: shortKeyOf(copy),
    seqs: entries.map(({ seq }) => seq),
    times: entries.map(({ at }) => at),
    ...entryArguments(entries),
  }
}

function entryArguments(entries: readonly EncodedEntry[]): Arguments {
  if (entries.length === 0) return {}
  const bodies = entries.map(({ body }) => body)
  if (entries.every(isPlainMessage)) return { bodies }
  return {
    bodies,
    kinds: entries.map(({ kind }) => kind),
    formats: entries.map(({ format }) => format),
    ...(entries.some(({ bytes }) => bytes !== null) && { bytes: entries.map(({ bytes }) => bytes) }),
  }
}

function pathArguments({ plan, cause, base }: NewPath): Arguments {
  return {
    path: places(plan),
    cause,
    takes_back: takesBack(cause),
    ...(base && { base: base.epoch, base_entries: base.entries, own: places(base.own) }),
  }
}

function places(plan: PathPlan): string[] {
  return plan.flatMap(([from, to]) => [`${from}`, `${to ?? 'open'}`])
}

/** In the order of the columns. */
function aboutTexts({ owner, title, metadata }: SessionAbout): (string | null)[] {
  return [owner, title, metadata].map(textToJson)
}

export function conditionArguments(conditions: Omit<Change, 'operation'>): Arguments {
  const { ifTurn, ifVersion, ifEpoch, ifPath, ifSnapshot } = conditions
  return {
    ...(ifTurn !== undefined && { if_turn: ifTurn }),
    ...(ifVersion !== undefined && { if_version: tokenToText(ifVersion) }),
    ...(ifEpoch !== undefined && { if_epoch: tokenToText(ifEpoch) }),
    ...(ifPath !== undefined && { if_path: tokenToText(ifPath) }),
    ...(ifSnapshot && { if_snapshot: shortKeyOf(ifSnapshot.id) }),
    ...(ifSnapshot?.number !== undefined && { if_snapshot_number: ifSnapshot.number }),
  }
}

function expiry({ expire }: Change): Arguments {
  if (expire === undefined) return {}
  if (expire === 'never') return { expire }
  return 'at' in expire ? { expire: 'at', expire_value: expire.at } : { expire: 'ttl', expire_value: expire.ttl }
}

function restoring({ head, epochs, snapshots, entries, about }: SessionContent): Arguments {
  return {
    head: valuesOfHead(head),
    about: aboutTexts(about),
    seqs: entries.map(({ seq }) => seq),
    times: entries.map(({ at }) => at),
    epoch_numbers: epochs.map(({ number }) => number),
    epoch_paths: epochs.map(({ path }) => pathToText(path)),
    epoch_causes: epochs.map(({ cause }) => cause),
    epoch_times: epochs.map(({ at }) => at),
    snapshot_keys: snapshots.map(({ id }) => shortKeyOf(id)),
    snapshot_ids: snapshots.map(({ id }) => Buffer.from(id)),
    snapshot_labels: snapshots.map(({ label }) => textToJson(label)),
    snapshot_automatic: snapshots.map(({ automatic }) => automatic),
    snapshot_numbers: snapshots.flatMap(({ epoch, end, at, number }) => [epoch, end, at, number]),
  }
}
