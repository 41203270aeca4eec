import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../faults/start-process.ts'
import type { CaseContext, FullStore } from './case.ts'
import { KitError } from './kit-error.ts'
import { messageOf } from './load-store.ts'
import type { Observation } from './observe.ts'
import { connect, type RemoteHandle } from './remote-handle.ts'
import type { OpenRequest, StoreDefinition } from './store-definition.ts'

/** `open` of the store under proof did not give a handle. */
export class CannotOpen extends Error {
  override name = 'CannotOpen'
}

export interface Place {
  readonly definition: StoreDefinition
  /** The module of the definition, for the processes that are to load it too. */
  readonly module: URL | null
  /** A folder in which locations may be made; one of the kit's own where it is not given. */
  readonly folder?: string
}

interface Handle {
  readonly location: string
  readonly request: OpenRequest
  readonly store: object
}

/** A context for one case, and the way to clean up after it. */
export async function openContext(
  { definition, module, folder }: Place,
  seed: number,
  observation: Observation,
): Promise<{ context: CaseContext; cleanUp: () => Promise<void> }> {
  const own = await mkdtemp(join(folder ?? tmpdir(), 'unforget-prove-')).catch((error: unknown) => {
    throw new KitError(`no folder for the case could be made: ${messageOf(error)}`)
  })
  const handles = new Map<FullStore, Handle>()
  const remotes: RemoteHandle[] = []
  const locations: string[] = []

  const openAt = async (location: string, more: Partial<OpenRequest>): Promise<FullStore> => {
    if (!locations.includes(location)) locations.push(location)
    const request = { location, ...(definition.endpoint && { endpoint: definition.endpoint }), ...more }
    const store: unknown = await observation.watch(async () => definition.open(request))
    assert.ok(typeof store === 'object' && store !== null, `open returned ${String(store)} and no store`)
    const observed = observation.observe(store) as FullStore
    handles.set(observed, { location, request, store })
    return observed
  }
  const newLocation = () => join(own, `${locations.length + 1}`)
  const close = async (store: FullStore) => {
    const handle = handles.get(store)
    handles.delete(store)
    if (handle) await definition.close?.(handle.store)
  }

  const store = await openAt(newLocation(), {}).catch((error: unknown) => {
    throw new CannotOpen(`open rejected with ${describeError(error)}`, { cause: error })
  })
  const firstLocation = handles.get(store)?.location ?? ''
  const context: CaseContext = {
    store,
    seed,
    open: (options = {}) => openAt(newLocation(), options),
    again: async (of = store) => {
      const { location, request } = handles.get(of) ?? { location: firstLocation, request: {} }
      return openAt(location, request)
    },
    close,
    withFaults: (options) => openAt(newLocation(), options),
    async inProcess() {
      if (module === null) throw new KitError('other processes need the module of the store')
      const argument = { module: module.href, location: firstLocation, endpoint: definition.endpoint }
      const child = startProcess(processModule, argument, { loads: [module] })
      const remote = await connect(child)
      remotes.push(remote)
      return remote
    },
  }
  const cleanUp = async () => {
    for (const remote of remotes) await remote.kill()
    for (const open of [...handles.keys()]) await close(open)
    for (const location of locations) await definition.destroy?.({ location })
    await rm(own, { recursive: true, force: true })
  }
  return { context, cleanUp }
}

const processModule = new URL(import.meta.url.replace(/open-context(\.[jt]s).*$/, 'handle-process$1'))

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)}, which is no Error`
  const { code } = error as { code?: unknown }
  return `${error.name}${code === undefined ? '' : ` (${String(code)})`}: ${error.message}`
}
