import { createHash } from 'node:crypto'
import type {
  Change,
  NewPath,
  SessionAbout,
  SessionContent,
  SessionCopy,
  StagedEntry,
} from '../../../src/core/backend.ts'
import { closePath, countEntries, type PathPlan, splitHead } from '../../../src/core/path.ts'
import { epochOf, pathTokenOf, versionOf } from '../../../src/core/session-state.ts'
import type { Known } from './known-session.ts'
import {
  answers,
  at,
  causes,
  copies,
  ends,
  entries,
  labels,
  metadata,
  oddTokens,
  owners,
  snapshotIds,
  titles,
  ttls,
} from './palette.ts'
import type { About, Ending, Of, Token, Write } from './steps.ts'

/** The change that a write means. A path is only ever changed while it is the one that was read. */
export function makeChange(known: Known, write: Write): Change {
  const { ifVersion, ifEpoch, ifPath, ifTurn, ifSnapshot, append, path, putSnapshot, dropSnapshots } = write
  const { ttl, expire, begin, describe } = write
  const { state } = known
  const present = token(ifPath ?? 'present', state && pathTokenOf(state), known.paths) ?? '-'
  return {
    operation: operationOf(known, write),
    ...(ifVersion && { ifVersion: token(ifVersion, state && versionOf(state), known.versions) }),
    ...(ifEpoch && { ifEpoch: token(ifEpoch, state && epochOf(state), known.epochs) }),
    ...((ifPath || path) && { ifPath: present }),
    ...(ifTurn !== undefined && { ifTurn: turnOf(known, ifTurn) }),
    ...(ifSnapshot && { ifSnapshot: condition(known, ifSnapshot) }),
    ...(append && { append: append.map((index) => at(entries, index)) }),
    ...(path && { path: newPath(known, path, append?.length ?? 0) }),
    ...(begin && { begin: aboutOf(known, begin) as SessionAbout }),
    ...(describe && { describe: aboutOf(known, describe) }),
    ...(putSnapshot && {
      putSnapshot: { ...putSnapshot, id: at(snapshotIds, putSnapshot.id), label: at(labels, putSnapshot.label) },
    }),
    ...(dropSnapshots && { dropSnapshots: dropSnapshots.map((index) => at(snapshotIds, index)) }),
    ...(ttl !== undefined && { ttl: at(ttls, ttl) }),
    ...(expire && { expire: expiry(expire) }),
  }
}

function operationOf(known: Known, { operation, answer }: Write): Change['operation'] {
  const { operations } = known
  const before = typeof operation === 'string' ? undefined : earlier(operations, operation.again)
  const { id, digest } = before ?? newOperation(known, operation !== 'unnamed')
  const isOther = typeof operation !== 'string' && operation.isOther && before !== undefined && digest !== ''
  return {
    id,
    digest: isOther ? digestOf(`other ${id}`) : digest,
    ...(answer !== undefined && { answer: at(answers, answer) }),
  }
}

/** One that no caller named is only ever repeated soon. */
function earlier(operations: Known['operations'], again: number): Known['operations'][number] | undefined {
  const isSoon = again < 6
  return operations.filter(({ digest }) => isSoon || digest !== '').at(-1 - again)
}

function newOperation({ operations }: Known, isNamed: boolean): Known['operations'][number] {
  const id = `${isNamed ? 'named\u0000 é' : 'unnamed'} ${operations.length}`
  const operation = { id, digest: isNamed ? digestOf(id) : '' }
  operations.push(operation)
  return operation
}

export function makeRestore(
  known: Known,
  { from, ending, ttl }: Of<'restore'>,
  exported: readonly SessionCopy[],
): Change {
  const own = 'exported' in from ? exported[exported.length - 1 - (from.exported % (exported.length || 1))] : undefined
  const { head, epochs, snapshots, about, entries: all } = own ?? at(copies, 'copy' in from ? from.copy : 0)
  return {
    operation: newOperation(known, true),
    ifVersion: null,
    ...(ttl !== undefined && { ttl: at(ttls, ttl) }),
    restore: { head: { ...head, ...endingOf(ending) }, epochs, snapshots, about, entries: all },
  }
}

export function makePublication(known: Known, { copy, off, restores }: Of<'publish'>): Change {
  const count = Math.max(1, known.staged[copy] + off)
  return {
    operation: newOperation(known, true),
    ifVersion: null,
    ...(restores && { restore: wholeLog(count) }),
    staged: { copy: copyOf(known, copy), count },
  }
}

/** The token of a copy that is to become the session. */
export function copyOf({ id }: Known, copy: 0 | 1): string {
  return `${id} ${copy}`
}

/** The next slice of a copy, which repeats the last entries of the one before. */
export function makeSlice(known: Known, { copy, entries: chosen, again }: Of<'stage'>): StagedEntry[] {
  const before = known.staged[copy]
  const first = Math.max(1, before - again + 1)
  const last = before + chosen.length
  known.staged[copy] = last
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    ...at(entries, at(chosen, 0) + first + index),
    seq: first + index,
    at: null,
  }))
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

export function token(chosen: Token, present: string | null, seen: readonly string[]): string | null {
  if (chosen === 'present') return present
  if (chosen === 'none') return null
  return 'odd' in chosen ? at(oddTokens, chosen.odd) : (seen.at(-1 - chosen.earlier) ?? null)
}

function condition(known: Known, { id, number }: NonNullable<Write['ifSnapshot']>): NonNullable<Change['ifSnapshot']> {
  const chosen = at(snapshotIds, id)
  if (number === undefined) return { id: chosen }
  return { id: chosen, number: (known.snapshots.get(chosen) ?? 1) + (number === 'other' ? 1 : 0) }
}

/** The token of one of the two turns that take turns with a session. */
export function turnOf({ id }: Known, turn: 0 | 1): string {
  return `turn-${turn}-of-${Buffer.from(id).toString('hex')}`
}

/** Owners are those of the run. */
export function ownersOf({ run }: Pick<Known, 'run'>): (string | null)[] {
  return owners.map((owner) => owner && `${owner} ${run}`)
}

function aboutOf(known: Known, { owner, title, metadata: data }: Partial<About>): Partial<SessionAbout> {
  return {
    ...(owner !== undefined && { owner: at(ownersOf(known), owner) }),
    ...(title !== undefined && { title: at(titles, title) }),
    ...(data !== undefined && { metadata: at(metadata, data) }),
  }
}

function newPath({ state, kept }: Known, path: NonNullable<Write['path']>, count: number): NewPath {
  const cause = at(causes, path.cause)
  const end = state?.end ?? 0
  const base = path.base && kept.length > 0 ? at(kept, path.base.epoch) : undefined
  if (base === undefined || path.base === undefined) return { cause, plan: plan(end, path, count) }
  const [first] = splitHead(closePath(base.path, end), path.base.entries)
  const own: PathPlan = [...(path.appended && count > 0 ? [['appended', 'appended'] as const] : []), ['next', null]]
  return { cause, plan: [...first, ...own], base: { epoch: base.number, entries: countEntries(first), own } }
}

/** Ranges of the log up to `end` that do not overlap, turned round, then what is appended, then all that comes. */
function plan(end: number, { cuts, turn, appended }: NonNullable<Write['path']>, count: number): PathPlan {
  const last = Math.min(end, 30)
  const marks = [...new Set(cuts.filter((cut) => cut >= 1 && cut <= last))].sort((a, b) => a - b)
  const ranges: [from: number, to: number][] = []
  for (let index = 0; index + 1 < marks.length; index += 2) ranges.push([at(marks, index), at(marks, index + 1)])
  const turned = [...ranges.slice(turn), ...ranges.slice(0, turn)]
  const isAppended = appended && count > 0
  return [...turned, ...(isAppended ? [['appended', 'appended'] as const] : []), [end + 1, 'end'], ['next', null]]
}

function expiry(chosen: NonNullable<Write['expire']>): NonNullable<Change['expire']> {
  if (chosen === 'never') return chosen
  return 'ttl' in chosen ? { ttl: at(ttls, chosen.ttl) } : { at: at(ends, chosen.at) }
}

function endingOf(ending: Ending): Partial<SessionContent['head']> {
  if (ending === 'same') return {}
  const { ttl, ownTtl, end } = ending
  return { ttl: ttl === null ? null : at(ttls, ttl), ownTtl, expiresAt: end === null ? null : Math.ceil(at(ends, end)) }
}

function wholeLog(count: number): SessionContent {
  const { head, epochs, about } = at(copies, 0)
  return { head: { ...head, end: count }, epochs, snapshots: [], entries: [], about }
}
