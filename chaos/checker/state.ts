import { createHash } from 'node:crypto'
import type { Item } from './history.ts'

export interface Logged extends Item {
  /** A summary that `compact` made. */
  readonly standsIn: boolean
}

/** A session after one commit, as plain lists. */
export interface State {
  readonly counter: number
  /** `null` while no answer told it. */
  readonly version: string | null
  readonly epoch: string | null
  readonly end: number
  /** The seqs that the session reads, in order. */
  readonly path: readonly number[]
  /** The counter of the commit that began the path. */
  readonly pathSince: number
  readonly log: ReadonlyMap<number, Logged>
  /** What each snapshot reads; automatic ones under the id that a rollback returned. */
  readonly snapshots: ReadonlyMap<string, readonly number[]>
  readonly automatic: readonly string[]
}

export const nothing: State = {
  counter: 0,
  version: null,
  epoch: null,
  end: 0,
  path: [],
  pathSince: 0,
  log: new Map(),
  snapshots: new Map(),
  automatic: [],
}

/** The state with entries at the end of its log, which its path reads. */
export function appended(state: State, items: readonly Logged[]): State {
  const log = new Map(state.log)
  const seqs = items.map((item, index) => {
    const seq = state.end + 1 + index
    log.set(seq, item)
    return seq
  })
  return { ...state, log, end: state.end + items.length, path: [...state.path, ...seqs] }
}

export function messagesOf(state: State): number[] {
  return state.path.filter((seq) => state.log.get(seq)?.kind === 'message')
}

/** What a `compact` of the workload writes: a digest of the turns that it replaces. */
export function summaryOf(turns: readonly string[]): string {
  return `Σ${turns.length}-${createHash('sha1').update(turns.join('\n')).digest('hex').slice(0, 12)}`
}

/** Cuts the first `count` messages. Summaries and records stay. */
export function trimmed(state: State, count: number): State {
  const before = state.path.indexOf(messagesOf(state)[count] ?? -1)
  const path = state.path.filter((seq, place) => place >= before || isKept(state, seq, ['summary', 'record']))
  return { ...state, path }
}

/** Puts a summary in place of the first `count` messages and what stands in for earlier ones. */
export function compacted(state: State, count: number): State {
  const before = state.path.indexOf(messagesOf(state)[count] ?? -1)
  const lead = state.path.findIndex((seq) => isTurn(state.log.get(seq)))
  const stays = (from: number, to: number) =>
    state.path
      .slice(from, to)
      .filter((seq) => isKept(state, seq, ['summary', 'record']) && state.log.get(seq)?.standsIn === false)
  const turns = state.path.slice(lead, before).filter((seq) => isTurn(state.log.get(seq)))
  const text = summaryOf(turns.map((seq) => state.log.get(seq)?.text ?? ''))
  const log = new Map(state.log).set(state.end + 1, { kind: 'summary', text, standsIn: true })
  const path = [...stays(0, lead), state.end + 1, ...stays(lead, before), ...state.path.slice(before)]
  return { ...state, log, end: state.end + 1, path }
}

function isKept(state: State, seq: number, kinds: readonly Item['kind'][]): boolean {
  const item = state.log.get(seq)
  return item !== undefined && kinds.includes(item.kind)
}

/** Whether it is part of the conversation. */
export function isTurn(item: Logged | undefined): boolean {
  return item !== undefined && (item.kind === 'message' || item.standsIn)
}
