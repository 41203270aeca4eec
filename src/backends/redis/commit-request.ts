import { randomUUID } from 'node:crypto'
import type { Change, EncodedEntry } from '../../core/backend.ts'
import { entryFormats } from '../../core/encode-entry.ts'
import { pathToText } from '../../core/path-text.ts'
import type { Argument } from './client.ts'
import type { CommitRequest } from './scripts/commit.ts'
import { answerToText, digestToText, headToText, labelToText, snapshotToText } from './state-text.ts'

/** Whether a change is messages without bytes, and nothing else. */
export function isPlainAppend({ operation, ttl, append, ...rest }: Change): boolean {
  return append !== undefined && append.length > 0 && isEmpty(rest) && append.every(isPlain)
}

function isEmpty(rest: object): boolean {
  for (const _name in rest) return false
  return true
}

/** What the commit script is given for plain appends to some sessions, all of one store. */
export function appendArguments(bySession: ReadonlyMap<string, readonly Change[]>): string[] {
  const [[first] = []] = bySession.values()
  const args = ['+', first?.ttl === undefined ? '' : `${first.ttl}`]
  for (const [session, changes] of bySession) {
    args.push(session, `${changes.length}`)
    for (const { operation, append = [] } of changes) {
      const { id, digest, answer } = operation
      args.push(`o:${id}`, `${makeNonce()} ${digestToText(digest)} ${append.length} ${answerToText(answer)}`)
      for (const { body } of append) args.push(body)
    }
  }
  return args
}

/** What the commit script is given for any change. `touch`: it writes something even if the operation was applied before. */
export function commitArguments(session: string, change: Change, touch: boolean): Argument[] {
  const entries = change.restore?.entries ?? change.append ?? []
  const nonce = makeNonce()
  const request: CommitRequest = {
    session,
    operation: change.operation.id,
    digest: digestToText(change.operation.digest),
    answer: answerToText(change.operation.answer),
    birth: nonce,
    nonce,
    count: entries.length,
    ...(entries.every(isPlain) ? {} : { kinds: entries.map(kindOf) }),
    ...conditions(change),
    ...(change.path && { path: change.path.flatMap(([from, to]) => [from, to ?? 'open']) }),
    ...(change.putSnapshot && {
      putSnapshot: [
        change.putSnapshot.id,
        change.putSnapshot.automatic ? '1' : '0',
        labelToText(change.putSnapshot.label),
      ],
    }),
    ...(change.dropSnapshots?.length && { dropSnapshots: change.dropSnapshots }),
    ...expiry(change),
    ...(change.restore && { restore: restoring(change.restore) }),
    ...(touch && { touch }),
  }
  const args: Argument[] = [JSON.stringify(request)]
  for (const { body, bytes } of entries) {
    args.push(body)
    if (bytes !== null) args.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
  return args
}

function conditions({ ifVersion, ifEpoch, ifSnapshot }: Change): Partial<CommitRequest> {
  return {
    ...(ifVersion !== undefined && { ifVersion: ifVersion ?? '' }),
    ...(ifEpoch !== undefined && { ifEpoch: ifEpoch ?? '' }),
    ...(ifSnapshot && { ifSnapshot: ifSnapshot.id }),
    ...(ifSnapshot?.number !== undefined && { ifSnapshotNumber: ifSnapshot.number }),
  }
}

function expiry({ ttl, expire }: Change): Partial<CommitRequest> {
  return {
    ...(ttl !== undefined && { ttl: `${ttl}` }),
    ...(expire === 'never'
      ? { expire }
      : expire && ('at' in expire ? { expireAt: expire.at } : { expireTtl: `${expire.ttl}` })),
  }
}

function restoring(restore: NonNullable<Change['restore']>): NonNullable<CommitRequest['restore']> {
  const { head, epochs, snapshots, entries } = restore
  const automatic = snapshots.filter((snapshot) => snapshot.automatic).map(({ id }) => id)
  return {
    head: headToText(head),
    seqs: entries.map(({ seq }) => seq),
    times: entries.map(({ at }) => `${at}`),
    fields: [
      ...epochs.flatMap(({ number, path }) => [`e:${number}`, pathToText(path)]),
      ...snapshots.flatMap((snapshot) => [`s:${snapshot.id}`, snapshotToText(snapshot)]),
      ...(automatic.length === 0 ? [] : ['automatic', JSON.stringify(automatic)]),
    ],
  }
}

function isPlain({ kind, format, bytes }: EncodedEntry): boolean {
  return kind === 'message' && format === entryFormats.plain && bytes === null
}

function kindOf(entry: EncodedEntry): readonly [string, string, boolean] | false {
  return isPlain(entry) ? false : [entry.kind, `${entry.format}`, entry.bytes !== null]
}

function makeNonce(): string {
  return randomUUID().slice(24)
}
