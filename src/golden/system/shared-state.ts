/** One value for all copies of this package in a realm: what one of them saw used, no other calls unused. */
export function sharedState<T>(name: string, make: () => T): T {
  const holder = globalThis as { [slot: symbol]: T | undefined }
  const slot = Symbol.for(`unforget.golden.${name}`)
  const state = holder[slot] ?? make()
  holder[slot] = state
  return state
}
