import { checkConditions, foundHead, noAbout } from '../advance.ts'
import type { SessionAbout, StoredEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { CopiedSeqs } from '../copied-seqs.ts'
import { SeqNotFoundError, SessionNotFoundError } from '../errors.ts'
import { conditionsOf, firstResult, makeOperation, type Operation } from '../operation.ts'
import { type ClosedRange, nearestSeqs, splitAfter } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { isSnapshotNotFound } from '../recognize-error.ts'
import { resealEntry } from '../seal-entry.ts'
import type { Forked, ForkOptions } from '../types.ts'
import { StagedCopy } from './staged-copy.ts'

/** Copies what a session, or one of its snapshots, reads into a new session, renumbered from 1. */
export async function fork(calls: Calls, session: string, target: string, options: ForkOptions): Promise<Forked> {
  const { at, to, operationId } = options
  const operation = makeOperation('fork', operationId, [session, at, ...(to === undefined ? [] : [to])])
  const done = operation.given ? (await calls.read(target, { operation: operation.id })).operation : null
  if (done !== null) {
    const { version, epoch, count } = firstResult(target, operation, done)
    return { version, epoch, entries: count }
  }
  try {
    return await PathReader.use(calls, session, { at, about: true }, async (reader, { about }) => {
      if (reader.state === null) throw new SessionNotFoundError(session)
      checkConditions(session, foundHead(reader.state), conditionsOf(options))
      const ranges = rangesUpTo(reader, session, to)
      const { version, epoch, count } = await copyRanges(calls, reader, ranges, about, target, operation)
      return { version, epoch, entries: count }
    })
  } catch (error) {
    if (!isSnapshotNotFound(error) || (await calls.read(session, {})).state !== null) throw error
    throw new SessionNotFoundError(session)
  }
}

function rangesUpTo({ ranges }: PathReader, session: string, to: number | undefined): readonly ClosedRange[] {
  if (to === undefined) return ranges
  const kept = splitAfter(ranges, to)?.[0]
  if (kept === undefined) throw new SeqNotFoundError(session, to, nearestSeqs(ranges, to))
  return kept
}

function copyRanges(
  calls: Calls,
  reader: PathReader,
  ranges: readonly ClosedRange[],
  about: SessionAbout | null,
  target: string,
  { id, digest }: Operation,
) {
  const seqs = new CopiedSeqs(ranges)
  return StagedCopy.use(calls, target, id, async (copy) => {
    let seq = 0
    const renumber = (entry: StoredEntry) => {
      const isSummary = entry.kind === 'summary' || entry.kind === 'compaction'
      const { kind, format, body, bytes } = isSummary ? seqs.mapSummary(resealEntry(entry)) : resealEntry(entry)
      seq += 1
      return { kind, format, body, bytes, seq, at: null }
    }
    for await (const stored of reader.slices(ranges)) {
      reader.decode(stored)
      await copy.add(stored.map(renumber))
    }
    return copy.begin({ id, digest }, (append) => ({ append, begin: about ?? noAbout }))
  })
}
