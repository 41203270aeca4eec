import { takesBack } from '../../core/advance.ts'
import type { Change, EncodedEntry, Erasure, StagedEntry } from '../../core/backend.ts'
import { makeNonce } from '../../core/make-nonce.ts'
import type { PathPlan } from '../../core/path.ts'
import { isPlainMessage } from '../../core/seal-entry.ts'
import { tokenToText } from '../../core/session-state.ts'
import { aboutToTexts } from './about-text.ts'
import type { Argument } from './client.ts'
import { epochToText } from './epoch-text.ts'
import type { CommitRequest } from './scripts/commit.ts'
import type { StageRequest } from './scripts/stage.ts'
import { digestToText, headToText, lastToText, snapshotToText } from './state-text.ts'

/** A plain append, with the nonce of the version that it makes. */
export interface Append {
  readonly change: Change
  readonly nonce: string
}

/** Plain appends by session, in their order, each of as many messages as the others, no operation twice. */
export type Appends = ReadonlyMap<string, readonly Append[]>

/** Whether a change is messages without bytes, and nothing else. */
export function isPlainAppend(change: Change): boolean {
  for (const name in change) if (name !== 'operation' && name !== 'append') return false
  return change.append !== undefined && change.append.length > 0 && change.append.every(isPlainMessage)
}

/** What the commit script is given for plain appends. */
export function appendArguments(appends: Appends): string[] {
  const args = ['']
  for (const [session, ofSession] of appends) {
    args.push(session, `${ofSession.length}`)
    for (const { change, nonce } of ofSession) {
      const { operation, append = [] } = change
      const { id, digest, answer } = operation
      args[0] = `${append.length}`
      args.push(`o:${id}`, `${nonce} ${digestToText(digest)} ${append.length} ${lastToText(answer ?? null)}`)
      for (const { body } of append) args.push(body)
    }
  }
  return args
}

/** That the session is on the list of the owner that it gets, since when, and the mark of its last erasure just before that. */
export interface Listed {
  readonly listed: number
  readonly mark: string
}

/** What the commit script is given for any change. `touch`: it writes something even if the operation was applied before. */
export function commitArguments(session: string, change: Change, touch: boolean, listed: Listed | null): Argument[] {
  const entries = change.restore?.entries ?? change.append ?? []
  const nonce = makeNonce()
  const request: CommitRequest = {
    session,
    operation: change.operation.id,
    digest: digestToText(change.operation.digest),
    answer: lastToText(change.operation.answer ?? null),
    birth: nonce,
    nonce,
    count: entries.length,
    ...(entries.every(isPlainMessage) ? {} : { kinds: entries.map(kindOf) }),
    ...conditions(change),
    ...newPath(change),
    ...(change.putSnapshot && {
      putSnapshot: [
        change.putSnapshot.id,
        change.putSnapshot.automatic ? '1' : '0',
        lastToText(change.putSnapshot.label),
      ],
    }),
    ...(change.dropSnapshots?.length && { dropSnapshots: change.dropSnapshots }),
    ...expiry(change),
    ...(change.restore && { restore: restoring(change.restore) }),
    ...(change.staged && { staged: change.staged.count }),
    ...about(change),
    ...listed,
    ...(touch && { touch }),
  }
  return [JSON.stringify(request), ...contentOf(entries)]
}

/** What the stage script is given. */
export function stageArguments(session: string, entries: readonly StagedEntry[]): Argument[] {
  const request: StageRequest = {
    session,
    seqs: entries.map(({ seq }) => seq),
    times: entries.map(({ at }) => at !== null && `${at}`),
    kinds: entries.map(kindOf),
  }
  return [JSON.stringify(request), ...contentOf(entries)]
}

/** The body of each entry and, if it has any, its bytes. */
function contentOf(entries: readonly EncodedEntry[]): Argument[] {
  const args: Argument[] = []
  for (const { body, bytes } of entries) {
    args.push(body)
    if (bytes !== null) args.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
  return args
}

/** The owner whose list the session must be on, if it is created or if it exists. */
export function ownerAfter({ begin, describe, restore }: Change): string | null {
  return describe?.owner !== undefined ? describe.owner : ((restore?.about ?? begin)?.owner ?? null)
}

/** What the erase script is given. `owner` is the owner that was found, as it is stored. */
export function eraseArguments({ operation, ifVersion, ifTurn }: Erasure, owner: string | null): string[] {
  const request = {
    operation,
    nonce: makeNonce(),
    ...(ifVersion !== undefined && { ifVersion: tokenToText(ifVersion) }),
    ...(ifTurn !== undefined && { ifTurn }),
    ...(owner !== null && { owner }),
  }
  return [JSON.stringify(request)]
}

function about({ begin, describe, restore }: Change): Partial<CommitRequest> {
  const beginning = restore?.about ?? begin
  return {
    ...(beginning && { begin: aboutToTexts(beginning) }),
    ...(describe && { describe: aboutToTexts(describe) }),
  }
}

function newPath({ path }: Change): Partial<CommitRequest> {
  if (path === undefined) return {}
  const { plan, cause, base } = path
  const flat = (places: PathPlan) => places.flatMap(([from, to]) => [from, to ?? 'open'])
  return {
    path: flat(plan),
    cause,
    takesBack: takesBack(cause),
    ...(base && { base: [base.epoch, base.entries], own: flat(base.own) }),
  }
}

function conditions({ ifVersion, ifEpoch, ifPath, ifTurn, ifSnapshot }: Change): Partial<CommitRequest> {
  return {
    ...(ifVersion !== undefined && { ifVersion: tokenToText(ifVersion) }),
    ...(ifEpoch !== undefined && { ifEpoch: tokenToText(ifEpoch) }),
    ...(ifPath !== undefined && { ifPath: tokenToText(ifPath) }),
    ...(ifTurn !== undefined && { ifTurn }),
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
      ...epochs.flatMap((epoch) => [`e:${epoch.number}`, epochToText(epoch)]),
      ...snapshots.flatMap((snapshot) => [`s:${snapshot.id}`, snapshotToText(snapshot)]),
      ...(automatic.length === 0 ? [] : ['automatic', JSON.stringify(automatic)]),
    ],
  }
}

function kindOf(entry: EncodedEntry): readonly [string, string, boolean] | false {
  return isPlainMessage(entry) ? false : [entry.kind, `${entry.format}`, entry.bytes !== null]
}
