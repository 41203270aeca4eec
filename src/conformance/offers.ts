import type { Case, Need, StoreMethod } from './case.ts'
import { type Capability, capabilities, type StoreDefinition } from './store-definition.ts'

/** What a store offers: its methods, and what it declares. */
export interface Offer {
  readonly methods: ReadonlySet<string>
  readonly capabilities: ReadonlySet<string>
}

/** Opens a store once, to see its methods. */
export async function lookAt(definition: StoreDefinition, location: string): Promise<Offer> {
  const { endpoint } = definition
  const store = await definition.open({ location, ...(endpoint && { endpoint }) })
  try {
    return { methods: methodsOf(store), capabilities: declared(definition) }
  } finally {
    await definition.close?.(store)
    await definition.destroy?.({ location })
  }
}

function methodsOf(store: object): Set<string> {
  const methods = new Set<string>()
  for (
    let level: object | null = store;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (name !== 'constructor' && typeof Reflect.get(store, name) === 'function') methods.add(name)
    }
  }
  return methods
}

function declared(definition: StoreDefinition): Set<string> {
  const given = Object.entries(definition.capabilities ?? {})
  const names = given.filter(([, has]) => has).map(([name]) => name)
  return new Set(definition.endpoint === undefined ? names : [...names, 'endpoint'])
}

/** What a case needs and the store does not offer; empty if the case can be run. */
export function missingFor({ needs }: Case, offer: Offer): Need[] {
  return needs.filter((need) => !(isCapability(need) ? offer.capabilities : offer.methods).has(need))
}

export function isCapability(need: Need): need is Capability | 'endpoint' {
  return need === 'endpoint' || (capabilities as readonly string[]).includes(need)
}

/** The methods among the needs. */
export function methodsAmong(needs: readonly Need[]): StoreMethod[] {
  return needs.filter((need): need is StoreMethod => !isCapability(need))
}
