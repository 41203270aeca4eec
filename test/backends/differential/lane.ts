import { isDeepStrictEqual } from 'node:util'
import type { Change, Committed, Erasure, ListedSession, SessionCopy } from '../../../src/core/backend.ts'
import { unread } from '../../../src/core/operations/sweep.ts'
import { rangesOf } from '../../../src/core/path.ts'
import { pathTokenOf, versionOf } from '../../../src/core/session-state.ts'
import type { OpenedBackend } from '../every-backend.ts'
import { type Known, know } from './known-session.ts'
import { copyOf, makeChange, makePublication, makeRestore, makeSlice, ownersOf, token, turnOf } from './make-change.ts'
import { Normalizer } from './normalize.ts'
import { at, snapshotIds } from './palette.ts'
import type { Of, Step } from './steps.ts'

const soon = () => performance.now() + 60_000

/** A run on one backend: it makes the change that a step means there, applies it, and tells what came of it in words that are the same on every backend. */
export class Lane {
  readonly #opened: OpenedBackend
  readonly #normalizer = new Normalizer()
  readonly #sessions: readonly [Known, Known]
  readonly #exported: SessionCopy[] = []
  readonly #first = new Map<string, Committed>()

  constructor(opened: OpenedBackend, run: string) {
    this.#opened = opened
    this.#sessions = [know(`plain ${run}`, run), know(`ödd\u0000 ${run} \u2029"`, run)]
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
    const snapshot = at(snapshotIds, operations.length)
    const want = { ...(named && { operation: named.id }), snapshot, ranges, about: true }
    const seq = [...seqs].at(operations.length % Math.max(1, seqs.size)) ?? 1
    const [all, last, first, before, after, summaries, list, owned, [copy]] = await Promise.all([
      backend.read(id, want, soon()),
      backend.read(id, { snapshot, last: 3 }, soon()),
      backend.read(id, { first: 3, after: seq }, soon()),
      backend.read(id, { snapshot, last: 2, before: seq }, soon()),
      backend.read(id, { snapshot, first: 2, after: seq, maxBytes: 60 }, soon()),
      backend.read(id, { snapshot, summariesAfter: 0 }, soon()),
      backend.snapshots(id, soon()),
      this.#owned(known),
      Promise.allSettled([store.exportSession(id)]),
    ])
    known.state = list.state
    known.kept = [...list.epochs].sort((a, b) => a.number - b.number)
    if (list.state !== null) known.paths.push(pathTokenOf(list.state))
    known.snapshots.clear()
    for (const { id: taken, number } of list.snapshots) known.snapshots.set(taken, number)
    const normalizer = this.#normalizer
    return {
      readings: [all, last, first, before, after, summaries].map((one) => normalizer.reading(one)),
      list: normalizer.snapshots(list),
      owned: owned.map((one) => normalizer.listed(one)),
      copy: this.#told(copy, (one) => {
        this.#exported.push(one)
        return normalizer.copy(one)
      }),
    }
  }

  /** By their ids: sessions written in the same millisecond are in another order elsewhere. */
  async #owned(known: Known): Promise<ListedSession[]> {
    const { backend } = this.#opened
    const owners = ownersOf(known).filter((owner) => owner !== null)
    const pages = await Promise.all(owners.map((owner) => backend.sessionsOf?.(owner, null, 100, soon())))
    return pages.flatMap((page) => [...(page?.sessions ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1)))
  }

  async #apply(known: Known, step: Step): Promise<object[]> {
    const { backend } = this.#opened
    const { id } = known
    if ('anew' in step && step.anew) await this.#erase(known, false, {})
    switch (step.kind) {
      case 'commit':
        return this.#commit(known, [makeChange(known, step.write)])
      case 'at once':
        return this.#commit(
          known,
          step.writes.map((write) => makeChange(known, write)),
        )
      case 'burst':
        return this.#commit(
          known,
          Array.from({ length: step.count }, () => makeChange(known, { operation: 'named', append: [0] })),
        )
      case 'restore':
        return this.#commit(known, [makeRestore(known, step, this.#exported)])
      case 'erase':
        return [await this.#erase(known, step.again, this.#conditions(known, step))]
      case 'turn':
        return [{ turn: await this.#turn(known, step) }]
      case 'stage':
        await backend.stage(id, copyOf(known, step.copy), makeSlice(known, step), soon())
        return []
      case 'unstage':
        known.staged[step.copy] = 0
        return [{ existed: await backend.unstage(id, copyOf(known, step.copy), soon()) }]
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

  async #erase(known: Known, isAgain: boolean, conditions: Omit<Erasure, 'operation'>): Promise<object> {
    if (!isAgain) known.erasures += 1
    const erasure = { operation: `erasure ${known.erasures}`, ...conditions }
    const [erased] = await Promise.allSettled([this.#opened.backend.erase(known.id, erasure, soon())])
    return this.#told(erased, (existed) => ({ existed }))
  }

  #conditions(known: Known, { ifVersion, ifTurn }: Of<'erase'>): Omit<Erasure, 'operation'> {
    const { state, versions } = known
    return {
      ...(ifVersion && { ifVersion: token(ifVersion, state && versionOf(state), versions) }),
      ...(ifTurn !== undefined && { ifTurn: turnOf(known, ifTurn) }),
    }
  }

  async #turn(known: Known, { do: what, token: turn }: Of<'turn'>): Promise<unknown> {
    const { backend } = this.#opened
    const lease = { token: turnOf(known, turn), milliseconds: 600_000 }
    if (what === 'end') return backend.endTurn?.(known.id, lease.token, soon())
    if (what === 'renew') return backend.renewTurn?.(known.id, lease, soon())
    return typeof (await backend.takeTurn?.(known.id, lease, soon())) === 'number' ? 'busy' : 'taken'
  }

  #told<T>(outcome: PromiseSettledResult<T>, tell: (value: T) => object): object {
    return outcome.status === 'fulfilled' ? tell(outcome.value) : this.#normalizer.error(outcome.reason)
  }

  async #publish(known: Known, step: Of<'publish'>): Promise<object[]> {
    const before = known.versions.length
    const result = await this.#commit(known, [makePublication(known, step)])
    if (known.versions.length > before) known.staged[step.copy] = 0
    return result
  }

  async #drop(known: Known, { isPresent }: Of<'drop'>): Promise<object> {
    const { backend } = this.#opened
    const list = await backend.snapshots(known.id, soon())
    const isWhole = list.snapshots.every(({ epoch }) => list.epochs.some(({ number }) => number === epoch))
    const drop = isWhole ? unread(known.id, list) : null
    if (drop === null) return {}
    const ifPath = isPresent ? drop.ifPath : (known.paths[0] ?? '-')
    return { dropped: await backend.drop(known.id, { ...drop, ifPath, limit: 1000 }, soon()) }
  }
}
