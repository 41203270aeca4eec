import { inspect } from 'node:util'
import { lookAt } from '../../offers.ts'
import type { StoreDefinition } from '../../store-definition.ts'
import type { Description } from '../host-protocol.ts'
import { describeError } from './open-context.ts'

/** Opens a store once, to see what it offers. Errors on closing are left to the cases. */
export async function look(definition: StoreDefinition, location: string): Promise<Description> {
  const { name, capabilities, endpoint } = definition
  const offer = await lookAt(
    {
      name,
      ...(capabilities && { capabilities }),
      ...(endpoint && { endpoint }),
      open: async (request) => {
        const store: unknown = await open(definition, request)
        if (typeof store === 'object' && store !== null) return store
        throw new Error(`the store could not be opened: open returned ${inspect(store)}, which is not a store`)
      },
      close: (store) => ignoreFailure(() => definition.close?.(store)),
      destroy: (memory) => ignoreFailure(() => definition.destroy?.(memory)),
    },
    location,
  )
  return { name, methods: [...offer.methods].sort(), capabilities: [...offer.capabilities].sort() }
}

async function open(definition: StoreDefinition, request: Parameters<StoreDefinition['open']>[0]): Promise<unknown> {
  try {
    return await definition.open(request)
  } catch (error) {
    throw new Error(`the store could not be opened: open rejected with ${describeError(error)}`, { cause: error })
  }
}

async function ignoreFailure(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // Every case closes and destroys too, and reports errors.
  }
}
