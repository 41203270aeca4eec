/** One value for all copies of this package in a realm, so that none calls unused what another one has used. */
export function sharedState<T>(name: string, make: () => T): T {
  const holder = globalThis as { [slot: symbol]: T | undefined }
  const slot = Symbol.for(`unforget.golden.${name}`)
  const state = holder[slot] ?? make()
  holder[slot] = state
  return state
}
