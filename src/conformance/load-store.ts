import { problemOf, type StoreDefinition } from './store-definition.ts'

/** The store's module cannot be used: it does not load, or does not say what it must. */
export class StoreModuleError extends Error {
  override name = 'StoreModuleError'
}

export async function loadStore(module: URL): Promise<StoreDefinition> {
  let loaded: { default?: unknown }
  try {
    loaded = (await import(module.href)) as { default?: unknown }
  } catch (error) {
    throw new StoreModuleError(`${nameOf(module)} does not load: ${messageOf(error)}`, { cause: error })
  }
  if (loaded.default === undefined) throw new StoreModuleError(`${nameOf(module)} has no default export`)
  const problem = problemOf(loaded.default)
  if (problem !== null) throw new StoreModuleError(`the default export of ${nameOf(module)}: ${problem}`)
  return loaded.default as StoreDefinition
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function nameOf(module: URL): string {
  return decodeURIComponent(module.pathname.slice(module.pathname.lastIndexOf('/') + 1))
}
