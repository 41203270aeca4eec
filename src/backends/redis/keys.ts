import { createHash } from 'node:crypto'
import { misuse } from '../../core/errors.ts'

/**
 * The keys of one session, all in one slot of a cluster. The tag is a hash of the session's id, so that no id can reach another's keys, and so
 * that what outlives a session (its operations, for a day) does not tell its id.
 */
export interface SessionKeys {
  /** A hash: the id, each epoch (`e:<number>`), the newest (`epoch`), each snapshot (`s:<id>`), the automatic ones' ids, owner, title and metadata. */
  readonly state: string
  /** A stream: `0-1` holds the session's id, `1-<seq>` an entry. */
  readonly log: string
  /** A sorted set of the seqs of summaries. */
  readonly summaries: string
  /** A hash: what every append changes, and the newest operations (`o:<id>`). */
  readonly head: string
  /** A hash: the operations before those, about 256. */
  readonly earlier: string
  /** A hash: the operations of earlier sessions of this id, and until when they are kept. */
  readonly gone: string
  /** Text: the token under which the turn is held. It ends with the lease. */
  readonly turn: string
}

export type KeyKind = keyof SessionKeys

/** A key of a copy that is not published. */
export type StagedKind = `staged:${string}`

/** A key of an owner: a sorted set of the tags of sessions, by when they were put there. */
export type OwnerKind = 'owned'

export type AnyKind = KeyKind | StagedKind | OwnerKind

/** In the order in which every script takes its keys. Plain appends take no turn, and every key costs. */
const keyKinds = ['state', 'log', 'summaries', 'head', 'earlier', 'gone', 'turn'] as const satisfies readonly KeyKind[]
export const plainKeys = 6

export function isStaged(kind: string): kind is StagedKind {
  return kind.startsWith('staged:')
}

/** 192 bits of a SHA-256: too many for two ids to meet, be they chosen for it. */
const tagLength = 32

/** The tag of a session or of an owner. */
export function tagOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, tagLength)
}

/** Computing the keys of a session costs as much as sending them. */
const maxCachedSessions = 500

/** Names the keys of a memory, which all start with its prefix. */
export class Keys {
  readonly #prefix: string
  readonly #recent = new Map<string, readonly string[]>()

  constructor(prefix: string) {
    if (prefix === '' || !prefix.isWellFormed() || /[{}]/.test(prefix)) {
      throw misuse('options.prefix: expected non-empty, well-formed text without braces')
    }
    this.#prefix = prefix
  }

  of(session: string): readonly string[] {
    const known = this.#recent.get(session)
    if (known !== undefined) return known
    const keys = this.ofTag(tagOf(session))
    if (this.#recent.size >= maxCachedSessions) this.#recent.clear()
    this.#recent.set(session, keys)
    return keys
  }

  ofTag(tag: string): string[] {
    return keyKinds.map((kind) => this.named(tag, kind))
  }

  /** The keys of the session, and of a copy that will become it: its log, its summaries, and a hash that counts both. They expire an hour after the last slice. */
  withCopy(session: string, copy: string): readonly string[] {
    const tag = tagOf(session)
    return [
      ...this.of(session),
      ...['log', 'summaries', 'mark'].map((part) => this.named(tag, `staged:${copy}:${part}`)),
    ]
  }

  /** The list of an owner. */
  owned(owner: string): string {
    return this.named(tagOf(owner), 'owned')
  }

  /** Says which version of the format the memory has. */
  get format(): string {
    return `${this.#prefix}:format`
  }

  named(tag: string, kind: AnyKind): string {
    return `${this.#prefix}:{${tag}}:${kind}`
  }

  /** What `SORT` looks up for each tag: the last commit of a session. Empty if it cannot, because the prefix contains a star. */
  get everyTip(): string {
    return this.#prefix.includes('*') ? '' : `${this.named('*', 'head')}->tip`
  }

  /** The pattern for `SCAN`. */
  get pattern(): string {
    return `${this.#prefix.replaceAll(/[\\*?[\]]/g, '\\$&')}:{*}:*`
  }

  /** `undefined` for a key that is not ours. */
  parse(key: string): { tag: string; kind: AnyKind } | undefined {
    const start = `${this.#prefix}:{`
    if (!key.startsWith(start)) return undefined
    const [tag = '', kind = ''] = key.slice(start.length).split('}:')
    const isOurs = isStaged(kind) || kind === 'owned' || keyKinds.includes(kind as KeyKind)
    return this.isTag(tag) && isOurs ? { tag, kind: kind as AnyKind } : undefined
  }

  isTag(tag: string): boolean {
    return tag.length === tagLength && /^[\w-]+$/.test(tag)
  }
}
