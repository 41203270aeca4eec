import { isDeepStrictEqual } from 'node:util'
import type { Call, Conditions, Item, Operation, Result } from './history.ts'
import { appended, compacted, messagesOf, type State, trimmed } from './state.ts'

/** The states that an operation may have read before it committed: it commits under the path of the last of them. */
export type Seen = readonly State[]

const automaticKept = 10

/** Thrown if no order of commits explains a result. */
export class Unexplained extends Error {}

/**
 * The state after the next commit, if it is this operation's. Without a result, as far as the call alone tells it.
 * Throws what is wrong with the result.
 */
export function apply(before: State, operation: Operation, result: Result | null, seen: Seen): State {
  const { call } = operation
  checkConditions(before, call)
  const counter = before.counter + 1
  const after = change(before, operation, result, seen)
  const isOtherPath = !isDeepStrictEqual(after.path.slice(0, before.path.length), before.path)
  const taken = takesBack(call, before, result)
  if (result === null) {
    return {
      ...after,
      counter,
      version: null,
      epoch: taken === false ? before.epoch : null,
      pathSince: isOtherPath ? counter : before.pathSince,
    }
  }
  const { version = null, epoch = null } = result
  expectEpoch(before, epoch, taken)
  const isPathNew = isOtherPath || (epoch !== before.epoch && before.epoch !== null)
  return { ...after, counter, version, epoch, pathSince: isPathNew ? counter : before.pathSince }
}

function checkConditions(before: State, call: Call): void {
  const isNew = before.counter === 0
  const { ifVersion, ifEpoch } = call as Conditions
  const version = isNew ? null : before.version
  if (ifVersion !== undefined && (isNew || version !== null) && ifVersion !== version) {
    throw new Unexplained(`it was to apply at version ${ifVersion} only, and applied after ${version}`)
  }
  if (typeof ifEpoch !== 'string' || (!isNew && before.epoch === null) || ifEpoch === before.epoch) return
  throw new Unexplained(`it was to apply in epoch ${ifEpoch} only, and applied in ${before.epoch}`)
}

/** `undefined`: it may or may not. */
function takesBack(call: Call, before: State, result: Result | null): boolean | undefined {
  switch (call.method) {
    case 'rollback':
      return true
    case 'rewind':
      return (result?.removed?.length ?? 0) > 0 ? true : undefined
    case 'clear':
      return before.path.length === 0 ? undefined : result === null ? true : undefined
    default:
      return false
  }
}

function expectEpoch(before: State, epoch: string | null, taken: boolean | undefined): void {
  if (before.counter === 0 || before.epoch === null || taken === undefined) return
  if (taken && epoch === before.epoch) throw new Unexplained(`it took something back and left the epoch at ${epoch}`)
  if (!taken && epoch !== before.epoch) throw new Unexplained(`it changed the epoch from ${before.epoch} to ${epoch}`)
}

function change(before: State, { call }: Operation, result: Result | null, seen: Seen): State {
  switch (call.method) {
    case 'append':
      return add(before, call.items, result)
    case 'trim': {
      const count = result?.count ?? Math.max(0, messagesOf(before).length - call.keep)
      expectCount(count, call.keep, seen)
      return count === 0 ? before : trimmed(before, count)
    }
    case 'compact': {
      const count = result?.count ?? Math.max(0, messagesOf(before).length - call.keep)
      expectCount(count, call.keep, seen)
      if (count === 0) return before
      expectSame('the seq of the summary', result?.seq, before.end + 1)
      return compacted(before, count)
    }
    case 'clear':
      if (result !== null && result.epoch === before.epoch) {
        if (seen.some(({ path }) => path.length === 0)) return before
        throw new Unexplained('it cleared nothing, and there was something to clear all the time')
      }
      return { ...before, path: [] }
    case 'describe':
      return before
    case 'saveSnapshot':
      return withSnapshot(before, call.snapshot)
    case 'deleteSnapshot':
      return withoutSnapshot(before, call.snapshot)
    case 'rollback':
      return rollBack(before, call.snapshot, result)
    case 'rewind':
      return rewind(before, call, result, seen)
    default:
      throw new Unexplained(`${call.method} commits nothing`)
  }
}

function add(before: State, items: readonly Item[], result: Result | null): State {
  const after = appended(
    before,
    items.map((item) => ({ ...item, standsIn: false })),
  )
  expectSame('the seqs of what was appended', result?.seqs, after.path.slice(after.path.length - items.length))
  return after
}

/** It cuts what it read, and keeps what was appended meanwhile. */
function expectCount(count: number, keep: number, seen: Seen): void {
  const possible = new Set(seen.map((state) => Math.max(0, messagesOf(state).length - keep)))
  if (!possible.has(count)) {
    throw new Unexplained(
      `it cut ${count} messages; any state that it can have read makes that ${[...possible].join(' or ')}`,
    )
  }
}

function rewind(before: State, call: Call & { readonly method: 'rewind' }, result: Result | null, seen: Seen): State {
  const { to, before: from, add: texts = [], snapshot } = call
  const cutOf = ({ path }: State) => (to === 0 ? 0 : path.indexOf(from ?? to ?? -1) + (from === undefined ? 1 : 0))
  const isNoCut = result !== null && result.removed?.length === 0 && result.epoch === before.epoch
  const items = texts.map((text) => ({ kind: 'message', text, standsIn: false }) as const)
  const saved = snapshot === undefined ? before : withSnapshot(before, snapshot)
  if (isNoCut) {
    if (!seen.some((state) => cutOf(state) === state.path.length)) {
      throw new Unexplained('it cut nothing, and there was something to cut all the time')
    }
    return items.length === 0 ? saved : add(saved, items, result)
  }
  if (to !== 0 && !before.path.includes(from ?? to ?? -1)) {
    throw new Unexplained(`it cut at seq ${from ?? to}, which was not on the path`)
  }
  const cut = cutOf(before)
  expectSame('what it says that it cut', result?.removed, before.path.slice(cut))
  return add({ ...saved, path: before.path.slice(0, cut) }, items, result)
}

function rollBack(before: State, id: string, result: Result | null): State {
  const target = before.snapshots.get(id)
  if (target === undefined) throw new Unexplained(`it rolled back to ${id}, which was not there`)
  const leftBehind = result?.leftBehind ?? `unknown ${before.counter + 1}`
  const kept = withSnapshot(before, leftBehind)
  const automatic = [...before.automatic, leftBehind]
  const dropped = automatic.filter((one) => one !== id).slice(0, Math.max(0, automatic.length - automaticKept))
  const snapshots = new Map([...kept.snapshots].filter(([one]) => !dropped.includes(one)))
  return { ...before, snapshots, automatic: automatic.filter((one) => !dropped.includes(one)), path: target }
}

function withSnapshot(state: State, id: string): State {
  if (state.snapshots.has(id)) throw new Unexplained(`it saved the snapshot ${id}, which was there already`)
  return { ...state, snapshots: new Map(state.snapshots).set(id, state.path) }
}

function withoutSnapshot(state: State, id: string): State {
  if (!state.snapshots.has(id)) throw new Unexplained(`it deleted the snapshot ${id}, which was not there`)
  const snapshots = new Map(state.snapshots)
  snapshots.delete(id)
  return { ...state, snapshots, automatic: state.automatic.filter((one) => one !== id) }
}

function expectSame(what: string, actual: unknown, expected: unknown): void {
  if (actual === undefined || isDeepStrictEqual(actual, expected)) return
  throw new Unexplained(`${what} should be ${JSON.stringify(expected)}, and is ${JSON.stringify(actual)}`)
}
