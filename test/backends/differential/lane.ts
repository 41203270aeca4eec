import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Change, Committed, SessionContent, SessionCopy, StagedEntry } from '../../../src/core/backend.ts'
import { unread } from '../../../src/core/operations/sweep.ts'
import { type PathPlan, rangesOf } from '../../../src/core/path.ts'
import { epochOf, type SessionState, versionOf } from '../../../src/core/session-state.ts'
import type { OpenedBackend } from '../every-backend.ts'
import { Normalizer } from './normalize.ts'
import { answers, copies, ends, entries, labels, oddTokens, snapshotIds, ttls } from './palette.ts'
import type { Ending, Step, Token, Write } from './steps.ts'

const soon = () => performance.now() + 60_000

type Of<K extends Step['kind']> = Extract<Step, { kind: K }>

/** What a run knows of one session on one backend. */
interface Known {
  readonly id: string
  state: SessionState | null
  readonly versions: string[]
  readonly epochs: string[]
  readonly operations: { readonly id: string; readonly digest: string }[]
  readonly seqs: Set<number>
  readonly snapshots: Map<string, number>
  readonly staged: [number, number]
  erasures: number
}

/** A run on one backend: it makes the change that a step means there, applies it, and tells what came of it in words that are the same on every backend. */
export class Lane {
  readonly #opened: OpenedBackend
  readonly #normalizer = new Normalizer()
  readonly #sessions: readonly [Known, Known]
  readonly #exported: SessionCopy[] = []
  readonly #first = new Map<string, Committed>()
  #operations = 0

  constructor(opened: OpenedBackend, run: string) {
    this.#opened = opened
    this.#sessions = [know(`plain ${run}`), know(`ödd\u0000 ${run} \u2029"`)]
  }

  /** What the step returned or threw, and all that can be read of its session afterwards. */
  async run(step: Step): Promise<{ readonly results: readonly object[]; readonly reading: object }> {
    const known = this.#sessions[step.session]
    const results = await this.#apply(known, step)
    return { results, reading: await this.look(step.session) }
  }

  async look(session: 0 | 1): Promise<object> {
    const { backend, store } = this.#opened
    const known = this.#sessions[session]
    const { id, seqs, operations } = known
    const named = operations.findLast(({ digest }) => digest !== '')
    const ranges = rangesOf([...seqs].sort((a, b) => a - b))
    const snapshot = snapshotIds[operations.length % snapshotIds.length] ?? ''
    const want = { ...(named && { operation: named.id }), snapshot, ranges }
    const [all, last, summaries, list, [copy]] = await Promise.all([
      backend.read(id, want, soon()),
      backend.read(id, { snapshot, last: 3 }, soon()),
      backend.read(id, { snapshot, summariesAfter: 0 }, soon()),
      backend.snapshots(id, soon()),
      Promise.allSettled([store.exportSession(id)]),
    ])
    known.state = list.state
    known.snapshots.clear()
    for (const { id: taken, number } of list.snapshots) known.snapshots.set(taken, number)
    const normalizer = this.#normalizer
    return {
      readings: [all, last, summaries].map((one) => normalizer.reading(one)),
      list: normalizer.snapshots(list),
      copy: this.#told(copy, (one) => {
        this.#exported.push(one)
        return normalizer.copy(one)
      }),
    }
  }

  async #apply(known: Known, step: Step): Promise<object[]> {
    const { backend } = this.#opened
    const { id } = known
    if ('anew' in step && step.anew) await this.#erase(known, false)
    switch (step.kind) {
      case 'commit':
        return this.#commit(known, [this.#change(known, step.write)])
      case 'at once':
        return this.#commit(
          known,
          step.writes.map((write) => this.#change(known, write)),
        )
      case 'restore':
        return this.#commit(known, [this.#restoring(known, step)])
      case 'erase':
        return [{ existed: await this.#erase(known, step.again) }]
      case 'stage':
        await backend.stage(id, `${id} ${step.copy}`, slice(known, step), soon())
        return []
      case 'unstage':
        known.staged[step.copy] = 0
        return [{ existed: await backend.unstage(id, `${id} ${step.copy}`, soon()) }]
      case 'publish':
        return this.#publish(known, step)
      case 'drop':
        return [await this.#drop(known, step)]
      case 'reclaim':
        while (!(await backend.reclaim(step.scope, soon())).done);
        return []
    }
  }

  /** Commits all of them at once, and looks at what came of each once all are done: they may end in another order than they are applied in. */
  async #commit(known: Known, changes: readonly Change[]): Promise<object[]> {
    const { id } = known
    const all = await Promise.allSettled(changes.map((change) => this.#opened.backend.commit(id, change, soon())))
    return all.map((outcome, index) => {
      const { operation, restore } = at(changes, index)
      return this.#told(outcome, (committed) => {
        const name = JSON.stringify([id, operation.id])
        const first = this.#first.get(name) ?? committed
        this.#first.set(name, first)
        known.versions.push(committed.version)
        known.epochs.push(committed.epoch)
        for (let seq = 0; seq < committed.count; seq++) known.seqs.add(committed.first + seq)
        for (const { seq } of restore?.entries ?? []) known.seqs.add(seq)
        return { ...this.#normalizer.committed(committed), isAsAtFirst: isDeepStrictEqual(first, committed) }
      })
    })
  }

  #erase(known: Known, isAgain: boolean): Promise<boolean> {
    if (!isAgain) known.erasures += 1
    return this.#opened.backend.erase(known.id, `erasure ${known.erasures}`, soon())
  }

  #told<T>(outcome: PromiseSettledResult<T>, tell: (value: T) => object): object {
    return outcome.status === 'fulfilled' ? tell(outcome.value) : this.#normalizer.error(outcome.reason)
  }

  /** A path is only ever changed in the epoch in which it was read. */
  #change(known: Known, write: Write): Change {
    const { ifVersion, ifEpoch, ifSnapshot, append, path, putSnapshot, dropSnapshots, ttl, expire } = write
    const { state } = known
    const epoch = token(ifEpoch ?? 'present', state && epochOf(state), known.epochs)
    return {
      operation: this.#operation(known, write),
      ...(ifVersion && { ifVersion: token(ifVersion, state && versionOf(state), known.versions) }),
      ...(ifEpoch && { ifEpoch: epoch }),
      ...(ifSnapshot && { ifSnapshot: condition(known, ifSnapshot) }),
      ...(append && { append: append.map((index) => at(entries, index)) }),
      ...(path && { ifEpoch: epoch ?? '-', path: plan(state?.end ?? 0, path, append?.length ?? 0) }),
      ...(putSnapshot && {
        putSnapshot: { ...putSnapshot, id: at(snapshotIds, putSnapshot.id), label: at(labels, putSnapshot.label) },
      }),
      ...(dropSnapshots && { dropSnapshots: dropSnapshots.map((index) => at(snapshotIds, index)) }),
      ...(ttl !== undefined && { ttl: at(ttls, ttl) }),
      ...(expire && { expire: expiry(expire) }),
    }
  }

  #operation(known: Known, { operation, answer }: Write): Change['operation'] {
    const { operations } = known
    const before = typeof operation === 'string' ? undefined : operations.at(-1 - operation.again)
    if (before === undefined) operations.push(this.#newOperation(operation !== 'unnamed'))
    const { id, digest } = before ?? at(operations, operations.length - 1)
    const isOther = typeof operation !== 'string' && operation.isOther && before !== undefined && digest !== ''
    return {
      id,
      digest: isOther ? digestOf(`other ${id}`) : digest,
      ...(answer !== undefined && { answer: at(answers, answer) }),
    }
  }

  #newOperation(isNamed: boolean): Known['operations'][number] {
    this.#operations += 1
    const id = `${isNamed ? 'named\u0000 é' : 'unnamed'} ${this.#operations}`
    return { id, digest: isNamed ? digestOf(id) : '' }
  }

  #restoring(known: Known, { from, ending, ttl }: Of<'restore'>): Change {
    const exported = this.#exported
    const own =
      'exported' in from ? exported[exported.length - 1 - (from.exported % (exported.length || 1))] : undefined
    const { head, epochs, snapshots, entries: all } = own ?? at(copies, 'copy' in from ? from.copy : 0)
    const operation = this.#newOperation(true)
    known.operations.push(operation)
    return {
      operation,
      ifVersion: null,
      ...(ttl !== undefined && { ttl: at(ttls, ttl) }),
      restore: { head: { ...head, ...endingOf(ending) }, epochs, snapshots, entries: all },
    }
  }

  async #publish(known: Known, { copy, off, restores }: Of<'publish'>): Promise<object[]> {
    const count = Math.max(1, known.staged[copy] + off)
    const operation = this.#newOperation(true)
    known.operations.push(operation)
    const before = known.versions.length
    const staged = { copy: `${known.id} ${copy}`, count }
    const restore = restores && { restore: wholeLog(count) }
    const result = await this.#commit(known, [{ operation, ifVersion: null, ...restore, staged }])
    if (known.versions.length > before) known.staged[copy] = 0
    return result
  }

  async #drop(known: Known, { isPresent }: Of<'drop'>): Promise<object> {
    const { backend } = this.#opened
    const list = await backend.snapshots(known.id, soon())
    const isWhole = list.snapshots.every(({ epoch }) => list.paths.has(epoch))
    const drop = isWhole ? unread(known.id, list) : null
    if (drop === null) return {}
    const ifEpoch = isPresent ? drop.ifEpoch : (known.epochs[0] ?? '-')
    return { dropped: await backend.drop(known.id, { ...drop, ifEpoch, limit: 1000 }, soon()) }
  }
}

function know(id: string): Known {
  return {
    id,
    state: null,
    versions: [],
    epochs: [],
    operations: [],
    seqs: new Set(),
    snapshots: new Map(),
    staged: [0, 0],
    erasures: 0,
  }
}

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function token(chosen: Token, present: string | null, seen: readonly string[]): string | null {
  if (chosen === 'present') return present
  if (chosen === 'none') return null
  return 'odd' in chosen ? at(oddTokens, chosen.odd) : (seen.at(-1 - chosen.earlier) ?? null)
}

function condition(known: Known, { id, number }: NonNullable<Write['ifSnapshot']>): NonNullable<Change['ifSnapshot']> {
  const chosen = at(snapshotIds, id)
  if (number === undefined) return { id: chosen }
  return { id: chosen, number: (known.snapshots.get(chosen) ?? 1) + (number === 'other' ? 1 : 0) }
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

/** The next slice of a copy, which repeats the last entries of the one before. */
function slice(known: Known, { copy, entries: chosen, again }: Of<'stage'>): StagedEntry[] {
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

function wholeLog(count: number): SessionContent {
  const { head } = at(copies, 0)
  return { head: { ...head, end: count }, epochs: [{ number: 1, path: [[1, null]] }], snapshots: [], entries: [] }
}
