import type { Bowl } from '../goldfish.ts'

/** Something that all handles on a memory in this process share. */
export function shared<T>({ shared: all }: Bowl, name: string, make: () => T): T {
  if (!all.has(name)) all.set(name, make())
  return all.get(name) as T
}

/** Runs work one after the other, whichever handle of this process it comes from. */
export function inTurn<T>(bowl: Bowl, work: () => Promise<T>): Promise<T> {
  const queue = shared(bowl, 'queue', () => ({ last: Promise.resolve() as Promise<unknown> }))
  const running = queue.last.then(work)
  queue.last = running.catch(() => {})
  return running
}
