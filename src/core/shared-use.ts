/** Runs `begin` for the first user and `end` after the last one has left. Each user gets a function to leave; calling it twice is harmless. */
export function sharedUse<Thing extends object>(
  begin: (thing: Thing) => void,
  end: (thing: Thing) => void,
): (thing: Thing) => () => void {
  const users = new WeakMap<Thing, Set<object>>()
  return (thing) => {
    const all = users.get(thing) ?? new Set()
    users.set(thing, all)
    const user = {}
    if (all.size === 0) begin(thing)
    all.add(user)
    return () => {
      if (all.delete(user) && all.size === 0) end(thing)
    }
  }
}
