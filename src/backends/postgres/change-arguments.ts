import type { Change, EncodedEntry, SessionContent, StagedEntry } from '../../core/backend.ts'
import { valuesOfHead } from '../../core/head-values.ts'
import { makeNonce } from '../../core/make-nonce.ts'
import { pathToText } from '../../core/path-text.ts'
import { isPlainMessage } from '../../core/seal-entry.ts'
import { tokenToText } from '../../core/session-state.ts'
import { textToJson } from '../../core/text-json.ts'
import type { Arguments } from './call-function.ts'
import { keyOf, shortKeyOf } from './hash.ts'

/** The arguments of `apply_change` by their names. */
export function changeArguments(session: string, change: Change): Arguments {
  const { operation, ttl, append, path, putSnapshot, dropSnapshots, restore, staged } = change
  return {
    key: keyOf(session),
    id: Buffer.from(session),
    operation: shortKeyOf(operation.id),
    digest: operation.digest,
    answer: textToJson(operation.answer ?? null),
    nonce: makeNonce(),
    ...(ttl !== undefined && { ttl }),
    ...entryArguments(restore?.entries ?? append ?? []),
    ...conditions(change),
    ...(path && { path: path.flatMap(([from, to]) => [`${from}`, `${to ?? 'open'}`]) }),
    ...(putSnapshot && {
      put_key: shortKeyOf(putSnapshot.id),
      put_id: Buffer.from(putSnapshot.id),
      put_label: textToJson(putSnapshot.label),
      put_automatic: putSnapshot.automatic,
    }),
    ...(dropSnapshots && dropSnapshots.length > 0 && { drop_keys: dropSnapshots.map(shortKeyOf) }),
    ...expiry(change),
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

function conditions({ ifVersion, ifEpoch, ifSnapshot }: Change): Arguments {
  return {
    ...(ifVersion !== undefined && { if_version: tokenToText(ifVersion) }),
    ...(ifEpoch !== undefined && { if_epoch: tokenToText(ifEpoch) }),
    ...(ifSnapshot && { if_snapshot: shortKeyOf(ifSnapshot.id) }),
    ...(ifSnapshot?.number !== undefined && { if_snapshot_number: ifSnapshot.number }),
  }
}

function expiry({ expire }: Change): Arguments {
  if (expire === undefined) return {}
  if (expire === 'never') return { expire }
  return 'at' in expire ? { expire: 'at', expire_value: expire.at } : { expire: 'ttl', expire_value: expire.ttl }
}

function restoring({ head, epochs, snapshots, entries }: SessionContent): Arguments {
  return {
    head: valuesOfHead(head),
    seqs: entries.map(({ seq }) => seq),
    times: entries.map(({ at }) => at),
    epoch_numbers: epochs.map(({ number }) => number),
    epoch_paths: epochs.map(({ path }) => pathToText(path)),
    snapshot_keys: snapshots.map(({ id }) => shortKeyOf(id)),
    snapshot_ids: snapshots.map(({ id }) => Buffer.from(id)),
    snapshot_labels: snapshots.map(({ label }) => textToJson(label)),
    snapshot_automatic: snapshots.map(({ automatic }) => automatic),
    snapshot_numbers: snapshots.flatMap(({ epoch, end, at, number }) => [epoch, end, at, number]),
  }
}
