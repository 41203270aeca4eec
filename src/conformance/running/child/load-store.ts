import { messageOf } from '../../../plain/message-of.ts'
import { problemOf, type StoreDefinition } from '../../store-definition.ts'

/** The store's module cannot be used: it does not load, or has no valid definition. */
export class StoreModuleError extends Error {
  override name = 'StoreModuleError'
}

/** The default export of a store's module: a definition, or a function that makes the one named by the URL's query. */
interface StoreModule {
  readonly default?: unknown
  readonly storeFor?: (module: URL) => Promise<StoreDefinition>
}

/** The query is passed on, because not every runtime keeps it in `import.meta.url`. */
export async function loadStore(module: URL): Promise<StoreDefinition> {
  let definition: unknown
  try {
    const loaded = (await import(module.href)) as StoreModule
    definition = loaded.storeFor === undefined ? loaded.default : await loaded.storeFor(module)
  } catch (error) {
    throw new StoreModuleError(`${nameOf(module)} does not load: ${messageOf(error)}`, { cause: error })
  }
  if (definition === undefined) throw new StoreModuleError(`${nameOf(module)} has no default export`)
  const problem = problemOf(definition)
  if (problem !== null) throw new StoreModuleError(`the default export of ${nameOf(module)}: ${problem}`)
  return definition as StoreDefinition
}

function nameOf(module: URL): string {
  return decodeURIComponent(module.pathname.slice(module.pathname.lastIndexOf('/') + 1))
}
