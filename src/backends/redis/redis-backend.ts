import type {
  Backend,
  Change,
  Committed,
  DamageFound,
  Drop,
  Erasure,
  Health,
  Lease,
  ListedPage,
  Reading,
  Reclaimed,
  ReclaimScope,
  SnapshotList,
  StagedEntry,
  Usage,
  Want,
} from '../../core/backend.ts'
import { MemoryStoreBackendError } from '../../core/errors.ts'
import type { ClosedRange } from '../../core/path.ts'
import { refusalError, toRefusal } from '../../core/refusal.ts'
import { takeParameter } from '../../core/take-parameter.ts'
import { AppendBatch } from './append-batch.ts'
import type { Argument, RedisClient, RedisCluster } from './client.ts'
import { type CommitReply, requireCommitted, toCommitReply } from './commit-reply.ts'
import {
  appendArguments,
  commitArguments,
  eraseArguments,
  isPlainAppend,
  type Listed,
  ownerAfter,
  stageArguments,
} from './commit-request.ts'
import { findDamage } from './find-damage.ts'
import { FormatMark } from './format-mark.ts'
import { isStaged, Keys, plainKeys } from './keys.ts'
import type { Link } from './link.ts'
import { delist, listOwned } from './list-owned.ts'
import { type Listing, listSessions, type Place, scanKeys, start } from './list-sessions.ts'
import { NotReplicatedError } from './not-replicated-error.ts'
import { openLink, type RedisOptions } from './open-link.ts'
import { OwnedWrites } from './owned-writes.ts'
import { readArguments, requireKept, toReading, toSnapshotList } from './read-session.ts'
import { toBackendError } from './redis-error.ts'
import { listOf, type Reply, textOf } from './reply.ts'
import { commitScript } from './scripts/commit.ts'
import { measureScript, readScript, snapshotsScript } from './scripts/read.ts'
import { dropScript, eraseScript, forgetScript } from './scripts/remove.ts'
import type { Script } from './scripts/script.ts'
import { stageScript, unstageScript } from './scripts/stage.ts'
import { endTurnScript, renewTurnScript, takeTurnScript } from './scripts/turn.ts'
import { readServerFacts, warningsOf } from './server-facts.ts'
import { sweepLists } from './sweep-lists.ts'

/** Memory on a Redis server or cluster, which any number of processes may share. Every change is one script, and so atomic. */
export class RedisBackend implements Backend {
  readonly name = 'redis'
  readonly #link: Link
  readonly #keys: Keys
  readonly #isReadOnly: boolean
  readonly #waitForReplicas: number
  readonly #waitTime: number
  readonly #owned: OwnedWrites
  readonly #mark: FormatMark
  /** How far the lists of owners have been swept. */
  #swept: Place = start
  readonly #appends = new AppendBatch(
    (appends, deadline) => {
      const keys: string[] = []
      for (const id of appends.keys()) keys.push(...this.#keys.of(id).slice(0, plainKeys))
      return this.#send(commitScript, keys, appendArguments(appends), deadline)
    },
    () => this.#link.isCluster,
  )

  /** Opens the memory at a URL (`redis://`, `rediss://`, optionally with `?prefix=`), or through a connected client or cluster of the package `redis`. */
  static async open(target: string | RedisClient | RedisCluster, options: RedisOptions = {}): Promise<RedisBackend> {
    const [place, chosen] = takeParameter(target, 'prefix', options)
    const keys = new Keys(chosen.prefix ?? 'unforget')
    return new RedisBackend(await openLink(place, chosen, keys.format), keys, chosen)
  }

  private constructor(link: Link, keys: Keys, { readOnly, waitForReplicas, timeout = 5000 }: RedisOptions) {
    this.#link = link
    this.#keys = keys
    this.#owned = new OwnedWrites(keys, (script, key, args, deadline) => this.#write(script, [key], args, deadline))
    this.#mark = new FormatMark(link, keys.format)
    this.#isReadOnly = readOnly ?? false
    this.#waitForReplicas = waitForReplicas ?? 0
    this.#waitTime = Math.max(1, Math.floor(timeout * 0.4))
  }

  async read(id: string, want: Want, deadline: number): Promise<Reading> {
    return toReading(id, want, await this.#read(readScript, id, readArguments(want), deadline))
  }

  async commit(id: string, change: Change, deadline: number): Promise<Committed> {
    const isPlain = this.#waitForReplicas === 0 && isPlainAppend(change)
    const reply = await this.#owned.inOrder(id, () =>
      isPlain ? this.#appends.add(id, change, deadline) : this.#commitAlone(id, change, deadline),
    )
    return requireCommitted(id, change, reply)
  }

  async stage(id: string, copy: string, entries: readonly StagedEntry[], deadline: number): Promise<void> {
    await this.#write(stageScript, this.#keys.withCopy(id, copy), stageArguments(id, entries), deadline)
  }

  async unstage(id: string, copy: string, deadline: number): Promise<boolean> {
    return (await this.#write(unstageScript, this.#keys.withCopy(id, copy), [], deadline)) === 1
  }

  async snapshots(id: string, deadline: number): Promise<SnapshotList> {
    return toSnapshotList(id, await this.#read(snapshotsScript, id, [], deadline))
  }

  async drop(id: string, { ifPath, ranges, epochs, limit }: Drop, deadline: number): Promise<Reclaimed | null> {
    const request = JSON.stringify({ ifPath, ranges: ranges.flat(), epochs, limit })
    const [status, dropped, done] = requireKept(
      id,
      await this.#write(dropScript, this.#keys.of(id), [request], deadline),
    )
    return textOf(status) === 'OK' ? { entries: Number(dropped), done: done === 1 } : null
  }

  async sessions(cursor: string | null, limit: number, deadline: number): Promise<ListedPage> {
    return this.#reading(() => listSessions(this.#listing(deadline), cursor, limit))
  }

  async sessionsOf(owner: string, cursor: string | null, limit: number, deadline: number): Promise<ListedPage> {
    const listing = this.#listing(deadline)
    const { page, stale } = await this.#reading(() => listOwned(listing, owner, cursor, limit))
    if (!this.#isReadOnly) await delist(listing, this.#keys.owned(owner), stale).catch(ignore)
    return page
  }

  async erase(id: string, erasure: Erasure, deadline: number): Promise<boolean> {
    const erase = (owner: string | null) => this.#erase(id, erasure, owner, deadline)
    const { existed } = await this.#owned.inOrder(id, () => this.#owned.erase(id, erase, deadline))
    return existed
  }

  /**
   * Erasing removes everything at once, and the server removes what has expired. What can be left are tags on the lists of owners; reading a list
   * removes them, and so does `all`, a slice of the keys at a time.
   */
  async reclaim(scope: ReclaimScope, deadline: number): Promise<Reclaimed> {
    this.#requireWritable()
    if (scope !== 'all') return { entries: 0, done: true }
    this.#swept = await this.#reading(() => sweepLists(this.#listing(deadline), this.#swept))
    return { entries: 0, done: this.#swept === start }
  }

  async takeTurn(id: string, { token, milliseconds }: Lease, deadline: number): Promise<number | null> {
    const left = await this.#write(takeTurnScript, this.#turnOf(id), [token, lasting(milliseconds)], deadline)
    return left === 0 ? null : Number(left)
  }

  async renewTurn(id: string, { token, milliseconds }: Lease, deadline: number): Promise<boolean> {
    return (await this.#write(renewTurnScript, this.#turnOf(id), [token, lasting(milliseconds)], deadline)) === 1
  }

  async endTurn(id: string, token: string, deadline: number): Promise<void> {
    await this.#write(endTurnScript, this.#turnOf(id), [token], deadline)
  }

  async measure(id: string | null, ranges: readonly ClosedRange[], deadline: number): Promise<Usage> {
    const usage = { entries: 0, bytes: 0 }
    if (id === null) return usage
    for (let place = { index: 1, from: undefined as number | undefined }; ; ) {
      const request = JSON.stringify({ ranges: ranges.flat(), ...place })
      const reply = await this.#read(measureScript, id, [request], deadline)
      const [entries, bytes, index, from] = listOf(reply).map((part) => Number(textOf(part)))
      usage.entries += entries ?? 0
      usage.bytes += bytes ?? 0
      if (index === undefined) return usage
      place = { index, from }
    }
  }

  async damage(deadline: number): Promise<DamageFound> {
    const damage = await this.#reading(() => findDamage(this.#listing(deadline)))
    return { damage, done: true }
  }

  async health(deadline: number): Promise<Health> {
    const all = await this.#reading(async () => Promise.all((await this.#link.servers(deadline)).map(readServerFacts)))
    const [first] = all
    return {
      backend: this.name,
      ok: true,
      warnings: [...new Set(all.flatMap(warningsOf))],
      details: {
        version: first?.version ?? '',
        servers: all.length,
        cluster: first?.isCluster ?? false,
        replicas: all.reduce((sum, { replicas }) => sum + replicas, 0),
        appendfsync: first?.appendOnly ? (first.appendFsync ?? 'unknown') : 'none',
        bytes: all.reduce((sum, { usedMemory }) => sum + usedMemory, 0),
      },
    }
  }

  /** Removes every key under the prefix, including remembered operations: for memories created by tests. */
  async forgetEverything(deadline: number): Promise<void> {
    this.#requireWritable()
    await this.#reading(async () => {
      for await (const found of scanKeys(this.#listing(deadline))) {
        const tags = new Set(found.map(({ tag }) => tag))
        const others = found
          .filter(({ kind }) => isStaged(kind) || kind === 'owned')
          .map(({ tag, kind }) => [this.#keys.named(tag, kind)])
        const all = [...others, ...[...tags].map((tag) => this.#keys.ofTag(tag))]
        await Promise.all(all.map((keys) => this.#link.run(forgetScript, keys, [], deadline)))
      }
      await this.#link.run(forgetScript, [this.#keys.format], [], deadline)
    })
  }

  async close(): Promise<void> {
    this.#link.close()
  }

  #commitAlone(id: string, change: Change, deadline: number): Promise<CommitReply> {
    const commit = (listed: Listed | null) => this.#commitOnce(id, change, listed, deadline)
    const owner = ownerAfter(change)
    return owner === null ? commit(null) : this.#owned.commit(id, owner, commit, deadline)
  }

  async #commitOnce(id: string, change: Change, listed: Listed | null, deadline: number): Promise<CommitReply> {
    const args = commitArguments(id, change, this.#waitForReplicas > 0, listed)
    const keys = change.staged ? this.#keys.withCopy(id, change.staged.copy) : this.#keys.of(id)
    return toCommitReply(id, await this.#write(commitScript, keys, args, deadline))
  }

  /** The owner, as it is stored, if it is another one than given. */
  async #erase(
    id: string,
    erasure: Erasure,
    owner: string | null,
    deadline: number,
  ): Promise<string | { existed: boolean }> {
    const args = eraseArguments(erasure, owner)
    const [status, detail] = requireKept(id, await this.#write(eraseScript, this.#keys.of(id), args, deadline))
    if (textOf(status) === 'OWNER') return textOf(detail)
    if (textOf(status) === 'OK') return { existed: detail === 1 }
    const { operation, ...conditions } = erasure
    throw refusalError(
      id,
      { operation: { id: operation, digest: '' }, ...conditions },
      toRefusal(textOf(status), detail),
    )
  }

  #turnOf(id: string): readonly string[] {
    return this.#keys.of(id).slice(plainKeys)
  }

  #listing(deadline: number): Listing {
    return { link: this.#link, keys: this.#keys, deadline }
  }

  #read(script: Script, id: string, args: readonly string[], deadline: number): Promise<Reply> {
    return this.#reading(() => this.#link.run(script, this.#keys.of(id), args, deadline) as Promise<Reply>)
  }

  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      throw error instanceof TypeError ? error : toBackendError(error, 'no')
    }
  }

  /** After the appends that wait to be sent. */
  #write(script: Script, keys: readonly string[], args: readonly Argument[], deadline: number): Promise<Reply> {
    this.#appends.flush()
    return this.#send(script, keys, args, deadline)
  }

  async #send(script: Script, keys: readonly string[], args: readonly Argument[], deadline: number): Promise<Reply> {
    this.#requireWritable()
    const wanted = this.#waitForReplicas
    try {
      if (!this.#mark.isMade) await this.#mark.make(deadline)
      if (wanted === 0) return (await this.#link.run(script, keys, args, deadline)) as Reply
      const { reply, replicas } = await this.#link.runAndWait(script, keys, args, deadline, {
        replicas: wanted,
        milliseconds: this.#waitTime,
      })
      if (replicas < wanted) throw new NotReplicatedError(replicas, wanted)
      return reply as Reply
    } catch (error) {
      throw toBackendError(error, 'unknown')
    }
  }

  #requireWritable(): void {
    if (this.#isReadOnly) {
      throw new MemoryStoreBackendError('READ_ONLY', 'the memory was opened read-only', { applied: 'no' })
    }
  }
}

/** In whole milliseconds, of which the server takes at least one. */
function lasting(milliseconds: number): string {
  return `${Math.max(1, Math.ceil(milliseconds))}`
}

function ignore(): void {}
