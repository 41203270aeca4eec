import { noAbout } from '../advance.ts'
import type { SessionAbout, StoredEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { SessionNotFoundError } from '../errors.ts'
import { firstResult, makeOperation, type Operation } from '../operation.ts'
import { PathReader } from '../path-reader.ts'
import { resealEntry } from '../seal-entry.ts'
import type { Forked, ForkOptions } from '../types.ts'
import { StagedCopy } from './staged-copy.ts'

/** Copies what a session, or one of its snapshots, reads into a new session, renumbered from 1. */
export async function fork(calls: Calls, session: string, target: string, options: ForkOptions): Promise<Forked> {
  const { at, operationId } = options
  const operation = makeOperation('fork', operationId, [session, at])
  const done = operation.given ? (await calls.read(target, { operation: operation.id })).operation : null
  const { version, epoch, count } =
    done !== null
      ? firstResult(target, operation, done)
      : await PathReader.use(calls, session, { at, about: true }, (reader, { about }) => {
          if (reader.state === null) throw new SessionNotFoundError(session)
          return copyPath(calls, reader, about, target, operation)
        })
  return { version, epoch, entries: count }
}

function copyPath(
  calls: Calls,
  reader: PathReader,
  about: SessionAbout | null,
  target: string,
  { id, digest }: Operation,
) {
  return StagedCopy.use(calls, target, id, async (copy) => {
    let seq = 0
    const renumber = (entry: StoredEntry) => {
      const { kind, format, body, bytes } = resealEntry(entry)
      seq += 1
      return { kind, format, body, bytes, seq, at: null }
    }
    for await (const stored of reader.slices(reader.ranges)) {
      reader.decode(stored)
      await copy.add(stored.map(renumber))
    }
    return copy.begin({ id, digest }, (append) => ({ append, begin: about ?? noAbout }))
  })
}
