/** Replaces the real clock for everything that reads `Date`. */
export function fakeClock(): { set: (time: number) => void; restore: () => void } {
  const real = Date
  let now = real.now()
  const fake: DateConstructor = new Proxy(real, {
    get: (target, name, receiver) => (name === 'now' ? () => now : Reflect.get(target, name, receiver)),
    construct: (target, given, type): Date =>
      Reflect.construct(target, given.length === 0 ? [now] : given, type === fake ? target : type),
  })
  globalThis.Date = fake
  return {
    set: (time) => {
      now = time
    },
    restore: () => {
      globalThis.Date = real
    },
  }
}
