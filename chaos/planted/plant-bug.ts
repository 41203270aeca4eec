import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Backend, Change, Reading } from 'unforget'

/** Ways to forget that the checker must find. */
export const plantedBugs = {
  'the rewind of 0.1': (backend: Backend) => {
    const ends = new Map<string, number>()
    return {
      read: async (session, want, deadline) => {
        const reading = await backend.read(session, want, deadline)
        ends.set(session, reading.state?.end ?? 0)
        await wait(5) // as a server far away does: others write between the read and the commit
        return reading
      },
      commit: (session, change, deadline) =>
        backend.commit(session, rewindOf01(change, ends.get(session) ?? 0), deadline),
    }
  },
  'ifVersion is not looked at': (backend: Backend) => ({
    commit: (session, { ifVersion: _, ...change }, deadline) => backend.commit(session, change, deadline),
  }),
  'a retry is applied again': (backend: Backend) => ({
    commit: (session, change, deadline) =>
      backend.commit(session, { ...change, operation: { ...change.operation, id: randomUUID() } }, deadline),
    read: (session, { operation: _, ...want }, deadline) => backend.read(session, want, deadline),
  }),
  'reads from a cache': (backend: Backend) => {
    const cache = new Map<string, Reading>()
    return {
      read: async (session, want, deadline) => {
        const key = JSON.stringify([session, want])
        const cached = cache.get(key)
        if (cached !== undefined && Math.random() < 0.3) return cached
        const reading = await backend.read(session, want, deadline)
        cache.set(key, reading)
        return reading
      },
    }
  },
  'everybody has the turn': (backend: Backend) => ({
    takeTurn: async () => null,
    renewTurn: async () => true,
    commit: (session, { ifTurn: _, ...change }, deadline) => backend.commit(session, change, deadline),
  }),
  'a rollback wipes the snapshots': (backend: Backend) => ({
    commit: async (session, change, deadline) => {
      if (change.path?.cause !== 'rollback') return backend.commit(session, change, deadline)
      const { snapshots } = await backend.snapshots(session, deadline)
      const dropSnapshots = snapshots.map(({ id }) => id).filter((id) => id !== change.ifSnapshot?.id)
      return backend.commit(session, { ...change, dropSnapshots }, deadline)
    },
  }),
  'acknowledged before it is written': (backend: Backend) => {
    let appends = 0
    return {
      commit: async (session, { append = [], ...change }, deadline) => {
        const isForgotten = append.length > 1 && ++appends % 4 === 0
        if (!isForgotten) return backend.commit(session, { ...change, append }, deadline)
        const committed = await backend.commit(session, { ...change, append: append.slice(0, -1) }, deadline)
        return { ...committed, count: append.length }
      },
    }
  },
} satisfies Record<string, (backend: Backend) => Partial<Backend>>

export type PlantedBug = keyof typeof plantedBugs

/** The backend with one bug. */
export function plantBug(backend: Backend, bug: PlantedBug): Backend {
  const broken: Partial<Backend> = plantedBugs[bug](backend)
  return new Proxy(backend, {
    get(target, name) {
      const own: unknown = Reflect.get(broken, name)
      const value: unknown = own ?? Reflect.get(target, name, target)
      return typeof value === 'function' && own === undefined ? value.bind(target) : value
    },
  })
}

/** 0.1 said that it cut what it had read. What was appended meanwhile it cut as well. */
function rewindOf01(change: Change, end: number): Change {
  if (change.path?.cause !== 'rewind') return change
  const { ifVersion: _, ...rest } = change
  const { cut } = JSON.parse(change.operation.answer ?? '{}') as { cut?: [number, number | null][] }
  const read = cut?.map(([from, to]) => [from, to ?? end])
  return { ...rest, operation: { ...change.operation, answer: JSON.stringify(read) } }
}
