import type {
  Committed,
  EpochRecord,
  ListedSession,
  Reading,
  SessionCopy,
  SnapshotList,
  SnapshotRecord,
  StoredEntry,
} from '../../../src/core/backend.ts'
import { MemoryStoreError } from '../../../src/core/errors.ts'
import { shortDigest } from '../../../src/core/operation.ts'
import type { SessionHead, SessionState } from '../../../src/core/session-state.ts'
import { moments } from './palette.ts'

/** A test does not run longer than this before or after a moment that it calls now, in milliseconds. */
const nearby = 600_000

/**
 * Makes what one backend told comparable with what others did. What each chooses for itself has a name here: nonces and logs by the order in which
 * they were seen, times that are not given in a change as now, or by how long after the last write they are.
 */
export class Normalizer {
  readonly #nonces = new Map<string, string>()
  readonly #logs = new Map<string, string>()

  committed({ version, epoch, at, ...rest }: Committed): object {
    return { ...rest, version: this.#token(version), epoch: this.#token(epoch), at: time(at) }
  }

  reading({ state, operation, snapshot, entries, summaries, ...rest }: Reading): object {
    return {
      ...rest,
      state: state && this.#state(state),
      operation: operation && {
        digest: operation.digest.slice(0, shortDigest),
        committed: this.committed(operation.committed),
        ended: operation.ended,
      },
      snapshot: snapshot && { record: taken(snapshot.record), path: snapshot.path },
      entries: entries.map(stored),
      summaries: summaries.map(stored),
    }
  }

  snapshots({ state, snapshots, epochs, about }: SnapshotList): object {
    return {
      state: state && this.#state(state),
      snapshots: [...snapshots].sort((a, b) => a.number - b.number).map(taken),
      epochs: [...epochs].sort((a, b) => a.number - b.number).map(({ base, difference, ...epoch }) => begun(epoch)),
      about,
    }
  }

  copy({ head, epochs, snapshots, entries, ...rest }: SessionCopy): object {
    return {
      ...rest,
      head: this.#head(head),
      epochs: epochs.map(begun),
      snapshots: snapshots.map(taken),
      entries: entries.map(stored),
    }
  }

  listed({ id, state, about }: ListedSession): object {
    return { id, about, state: state && this.#state(state) }
  }

  error(error: unknown): object {
    if (!MemoryStoreError.is(error)) throw error
    const { subject, expected, actual, snapshotId, operationId, applied } = { ...error } as { [name: string]: unknown }
    const { name, code, retryable } = error
    const tokens = [expected, actual].map((token) => (typeof token === 'string' ? this.#token(token) : token))
    return { name, code, retryable, applied, subject, tokens, snapshotId, operationId }
  }

  #state({ path, log, ...head }: SessionState): object {
    return { ...this.#head(head), path, log: named(this.#logs, log, 'log') }
  }

  #head({ birth, nonce, epochNonce, takenBackNonce, createdAt, updatedAt, expiresAt, ...rest }: SessionHead): object {
    return {
      ...rest,
      birth: this.#nonce(birth),
      nonce: this.#nonce(nonce),
      epochNonce: this.#nonce(epochNonce),
      takenBackNonce: this.#nonce(takenBackNonce),
      createdAt: time(createdAt),
      updatedAt: time(updatedAt),
      expiresAt: expiresAt === null || moments.has(expiresAt) ? expiresAt : { after: expiresAt - updatedAt },
    }
  }

  #token(token: string): string {
    const [birth = '', count, nonce, ...more] = token.split('.')
    if (nonce === undefined || more.length > 0) return token
    return [this.#nonce(birth), count, this.#nonce(nonce)].join('.')
  }

  #nonce(nonce: string): string {
    return named(this.#nonces, nonce, 'nonce')
  }
}

function named(names: Map<string, string>, value: string, kind: string): string {
  const name = names.get(value) ?? `${kind} ${names.size + 1}`
  names.set(value, name)
  return name
}

function time(at: number): number | 'now' {
  return Math.abs(at - Date.now()) < nearby ? 'now' : at
}

function stored({ at, bytes, ...entry }: StoredEntry): object {
  return { ...entry, at: time(at), bytes: bytes && Buffer.from(bytes).toString('hex') }
}

function begun({ at, ...epoch }: EpochRecord): object {
  return { ...epoch, at: at === null ? null : time(at) }
}

function taken({ at, ...snapshot }: SnapshotRecord): object {
  return { ...snapshot, at: time(at) }
}
