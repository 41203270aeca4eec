import type { Call, Item, Result } from '../checker/history.ts'

/** What a process last saw of a session. */
export interface Known {
  version: string | null
  epoch: string | null
  seqs: readonly number[]
  snapshots: string[]
}

export type Random = () => number

/** How often each is chosen, in parts of their sum. */
const weights = {
  append: 40,
  trim: 4,
  compact: 4,
  clear: 1,
  describe: 2,
  saveSnapshot: 7,
  deleteSnapshot: 1,
  rollback: 4,
  rewind: 10,
  fork: 1,
  import: 0.5,
  delete: 0.3,
  read: 24,
  listSnapshots: 3,
  paths: 3,
  recall: 1,
  verify: 0.5,
  sweep: 2,
} satisfies Record<Call['method'], number>

/** The next call of a process, by chance. What it writes is unique. */
export function chooseCall(random: Random, known: Known, id: string): Call {
  const method = pick(random)
  const pickOne = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  const conditions = conditionsFor(random, known)
  const snapshot = pickOne(known.snapshots)
  switch (method) {
    case 'append':
      return { method, items: itemsFor(random, id), ...conditions }
    case 'trim':
    case 'compact':
      return { method, keep: 1 + Math.floor(random() * 20), ...conditions }
    case 'clear':
      return { method, ...conditions }
    case 'describe':
      return known.version === null ? { method: 'read' } : { method, title: id, ...conditions }
    case 'saveSnapshot':
      return { method, snapshot: random() < 0.1 && snapshot !== undefined ? snapshot : `of ${id}`, ...conditions }
    case 'deleteSnapshot':
      return snapshot === undefined ? { method: 'read' } : { method, snapshot, ...conditions }
    case 'rollback':
      return snapshot === undefined ? { method: 'read' } : { method, snapshot, ...conditions }
    case 'rewind': {
      const seq = pickOne(known.seqs.slice(-8)) ?? 0
      return {
        method,
        ...(seq === 0 || random() < 0.5 ? { to: seq } : { before: seq }),
        ...(random() < 0.4 && { add: [`${id} a`, `${id} b`] }),
        ...(random() < 0.2 && { snapshot: `of ${id}` }),
        ...conditions,
      }
    }
    case 'fork':
      return known.version === null ? { method: 'read' } : { method, target: `fork ${id}`, ifVersion: known.version }
    case 'import':
      return { method, target: `import ${id}` }
    case 'delete':
      return known.version === null ? { method: 'read' } : { method, ifVersion: known.version }
    case 'read': {
      if (snapshot !== undefined && random() < 0.25) return { method, at: snapshot }
      return random() < 0.3 ? { method, last: Math.floor(random() * 12) } : { method }
    }
    default:
      return { method }
  }
}

/** Remembers what an answer told. */
export function learn(known: Known, call: Call, result: Result): void {
  if (call.method === 'fork' || call.method === 'import') return
  if (result.version !== undefined) known.version = result.version
  if (result.epoch !== undefined) known.epoch = result.epoch
  if (call.method === 'read' && call.at === undefined && result.seqs) known.seqs = result.seqs
  if (call.method === 'append' || call.method === 'rewind') known.seqs = [...known.seqs, ...(result.seqs ?? [])]
  const saved = 'snapshot' in call && call.method !== 'deleteSnapshot' ? call.snapshot : undefined
  for (const id of [saved, result.leftBehind, ...(result.snapshots ?? []).map(([one]) => one)]) {
    if (id !== undefined && !known.snapshots.includes(id)) known.snapshots = [...known.snapshots.slice(-12), id]
  }
}

function pick(random: Random): Call['method'] {
  const entries = Object.entries(weights) as [Call['method'], number][]
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [method, weight] of entries) {
    left -= weight
    if (left < 0) return method
  }
  return 'append'
}

function conditionsFor(random: Random, { version, epoch }: Known): { ifVersion?: string | null; ifEpoch?: string } {
  const chance = random()
  if (chance < 0.15) return { ifVersion: version }
  return chance < 0.3 && epoch !== null ? { ifEpoch: epoch } : {}
}

function itemsFor(random: Random, id: string): Item[] {
  const kinds = ['message', 'message', 'message', 'message', 'toolCall', 'summary', 'record'] as const
  const count = random() < 0.5 ? 1 : 1 + Math.floor(random() * 4)
  const isMixed = random() < 0.4
  return Array.from({ length: count }, (_, index) => ({
    kind: isMixed ? (kinds[Math.floor(random() * kinds.length)] ?? 'message') : 'message',
    text: `${id} ${index}`,
  }))
}
