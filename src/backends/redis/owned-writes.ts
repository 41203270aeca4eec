import { MemoryStoreBackendError } from '../../core/errors.ts'
import type { CommitReply } from './commit-reply.ts'
import type { Listed } from './commit-request.ts'
import { type Keys, tagOf } from './keys.ts'
import { type Reply, textOf } from './reply.ts'
import { delistScript, enlistedScript, enlistScript } from './scripts/owner.ts'
import type { Script } from './scripts/script.ts'

/**
 * Writes that give a session its owner, or take it away. The list of an owner may be on another server than the session, so a session is put on the list
 * before it gets the owner, and taken off after it is erased: it is never missing there, whatever fails in between.
 */
export class OwnedWrites {
  readonly #keys: Keys
  readonly #send: (script: Script, key: string, args: readonly string[], deadline: number) => Promise<Reply>
  /** What is under way, by session. */
  readonly #waiting = new Map<string, Promise<void>>()

  constructor(
    keys: Keys,
    send: (script: Script, key: string, args: readonly string[], deadline: number) => Promise<Reply>,
  ) {
    this.#keys = keys
    this.#send = send
  }

  /** Giving a session its owner takes several round trips, and what a caller wrote later must not come first. */
  inOrder<T>(session: string, write: () => Promise<T>): Promise<T> {
    const before = this.#waiting.get(session)
    return before === undefined ? write() : before.then(() => this.inOrder(session, write))
  }

  /** The script asks for the list, because most changes that name an owner are to sessions that have it already. */
  commit(
    session: string,
    owner: string,
    commit: (listed: Listed | null) => Promise<CommitReply>,
    deadline: number,
  ): Promise<CommitReply> {
    const committing = this.#commit(session, owner, commit, deadline)
    const settled = committing.then(ignore, ignore)
    this.#waiting.set(session, settled)
    void settled.then(() => this.#waiting.delete(session))
    return committing
  }

  /** `erase` resolves to the owner, as it is stored, if that has to be known first. */
  async erase<T extends object>(
    session: string,
    erase: (owner: string | null) => Promise<string | T>,
    deadline: number,
  ): Promise<T> {
    let list: { readonly key: string; readonly since: string } | null = null
    for (let owner: string | null = null; ; ) {
      const erased = await erase(owner)
      if (typeof erased === 'string') {
        owner = erased
        list = await this.#find(session, owner, deadline)
        continue
      }
      if (list !== null) {
        await this.#send(delistScript, list.key, [tagOf(session), list.since], deadline).catch(ignore)
      }
      return erased
    }
  }

  async #commit(
    session: string,
    owner: string,
    commit: (listed: Listed | null) => Promise<CommitReply>,
    deadline: number,
  ): Promise<CommitReply> {
    for (let listed: Listed | null = null; ; ) {
      const reply = await commit(listed)
      if (reply.status !== 'OWNER') return reply
      if (performance.now() > deadline) {
        const reason = 'Redis: the session was not put on the list of its owner in time'
        throw new MemoryStoreBackendError('TIMEOUT', reason, { applied: 'no', retryable: true })
      }
      const since = await this.#send(enlistScript, this.#keys.owned(owner), [tagOf(session)], deadline)
      listed = { listed: Number(textOf(since)), mark: reply.mark }
    }
  }

  async #find(session: string, owner: string, deadline: number): Promise<{ key: string; since: string } | null> {
    const name = ownerFromText(owner)
    if (name === null) return null
    const key = this.#keys.owned(name)
    const since = await this.#send(enlistedScript, key, [tagOf(session)], deadline)
    return since === null ? null : { key, since: textOf(since) }
  }
}

/** `null` if it cannot be read. */
export function ownerFromText(text: string): string | null {
  try {
    const owner: unknown = JSON.parse(text)
    return typeof owner === 'string' ? owner : null
  } catch {
    return null
  }
}

function ignore(): void {}
