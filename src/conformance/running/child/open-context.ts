import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Backend } from '../../../core/backend.ts'
import { type FaultyBackend, faulty } from '../../../faults/faulty.ts'
import { type FaultProxy, faultProxy } from '../../../faults/proxy/fault-proxy.ts'
import { startProcess } from '../../../faults/start-process.ts'
import { messageOf } from '../../../plain/message-of.ts'
import type { CaseContext, FullStore, RemoteHandle } from '../../case.ts'
import { patience } from '../../cases/helpers/patience.ts'
import type { OpenRequest, StoreDefinition } from '../../store-definition.ts'
import { KitError } from './kit-error.ts'
import type { Observation } from './observe.ts'
import { connect } from './remote-handle.ts'

/** `open` of the store under proof did not give a handle. */
export class CannotOpen extends Error {
  override name = 'CannotOpen'
}

export interface Place {
  readonly definition: StoreDefinition
  /** The module of the definition, for other processes to load. */
  readonly module: URL | null
  /** A folder for locations; default: one of the kit's own. */
  readonly folder?: string
}

interface Handle {
  readonly request: OpenRequest
  readonly store: object
  isOpen: boolean
}

/** A context for one case, and the way to clean up after it. */
export async function openContext(
  { definition, module, folder }: Place,
  seed: number,
  observation: Observation,
): Promise<{ context: CaseContext; cleanUp: () => Promise<void> }> {
  const own = await mkdtemp(join(folder ?? tmpdir(), 'unforget-prove-')).catch((error: unknown) => {
    throw new KitError(`could not create a folder for the case: ${messageOf(error)}`)
  })
  const handles = new Map<FullStore, Handle>()
  const remotes: RemoteHandle[] = []
  const locations: string[] = []
  const proxies: FaultProxy[] = []
  let hasEnded = false
  /** A case that was given up may still be at work: what it opens then is closed at once. */
  const unlessEnded = async <T>(opening: () => Promise<T>, undo: (opened: T) => unknown): Promise<T> => {
    if (hasEnded) throw new KitError('the case has ended')
    const opened = await opening()
    if (!hasEnded) return opened
    await undo(opened)
    throw new KitError('the case has ended')
  }

  const openAt = async (location: string, more: Partial<OpenRequest>): Promise<FullStore> => {
    const request = { location, ...(definition.endpoint && { endpoint: definition.endpoint }), ...more }
    const opening = { text: `open({ location: ${JSON.stringify(location)} })`, session: null }
    const store: unknown = await unlessEnded(
      () => observation.watch(opening, async () => definition.open(request)),
      (opened) => definition.close?.(opened as object),
    )
    if (typeof store !== 'object' || store === null) assert.fail(`open returned ${String(store)}, which is not a store`)
    const observed = observation.observe(store) as FullStore
    handles.set(observed, { request, store, isOpen: true })
    return observed
  }
  const newLocation = () => {
    const location = join(own, `${locations.length + 1}`)
    locations.push(location)
    return location
  }
  const close = async (store: FullStore) => {
    const handle = handles.get(store)
    if (!handle?.isOpen) return
    handle.isOpen = false
    await definition.close?.(handle.store)
  }

  const store = await openAt(newLocation(), {}).catch((error: unknown) => {
    throw new CannotOpen(`open rejected with ${describeError(error)}`, { cause: error })
  })
  const requestOf = (one: FullStore): OpenRequest => handles.get(one)?.request ?? assert.fail('no handle of this case')
  const { location: firstLocation } = requestOf(store)
  const wrapped: CaseContext['wrapped'] = async (wrap, { on, timeout } = {}) => {
    const sound = on ?? (await openAt(newLocation(), {}))
    let isWrapped = false
    const wrapBackend = (inner: Backend) => {
      isWrapped = true
      return wrap(inner)
    }
    const opened = await openAt(requestOf(sound).location, { wrapBackend, ...(timeout !== undefined && { timeout }) })
    assert.ok(isWrapped, 'the store declares the capability "faults", but its open did not call wrapBackend')
    return { store: opened, sound }
  }
  const context: CaseContext = {
    store,
    seed,
    open: (options = {}) => openAt(newLocation(), options),
    again: async (of = store) => openAt(requestOf(of).location, requestOf(of)),
    close,
    wrapped,
    async withFaults(plan, { timeout = 100, on } = {}) {
      const backends: FaultyBackend[] = []
      const wrap = (inner: Backend) => {
        const backend = faulty(inner, plan)
        backends.push(backend)
        return backend
      }
      const handle = await wrapped(wrap, { timeout, ...(on && { on }) })
      return { ...handle, backend: backends[0] as FaultyBackend }
    },
    async throughProxy({ timeout }) {
      if (definition.endpoint === undefined) throw new KitError('the store names no endpoint')
      const sound = await openAt(newLocation(), { timeout: patience() })
      const { endpoint: behind } = definition
      const proxy = await unlessEnded(
        () => faultProxy(behind),
        (opened) => opened.close(),
      )
      proxies.push(proxy)
      const endpoint = { ...behind, host: proxy.host, port: proxy.port }
      const store = await openAt(requestOf(sound).location, { endpoint, timeout })
      return { store, proxy, sound }
    },
    newLocation,
    async inProcess(location = firstLocation) {
      if (module === null) throw new KitError('other processes need the module of the store')
      const argument = { module: module.href, location, endpoint: definition.endpoint }
      const remote = await unlessEnded(
        () => connect(startProcess(processModule, argument, { loads: [module] })),
        (connected) => connected.kill(),
      )
      remotes.push(remote)
      return { ...remote, store: observation.observe(remote.store) }
    },
  }
  const cleanUp = async () => {
    hasEnded = true
    for (const remote of remotes) await remote.kill()
    for (const open of [...handles.keys()]) await close(open)
    for (const proxy of proxies) await proxy.close()
    for (const location of locations) await definition.destroy?.({ location })
    await rm(own, { recursive: true, force: true })
  }
  return { context, cleanUp }
}

const processModule = new URL(import.meta.url.replace(/open-context(\.[jt]s).*$/, 'handle-process$1'))

export function describeError(error: unknown): string {
  if (!(error instanceof Error))
    return `${inspect(error, { depth: 2, breakLength: Number.POSITIVE_INFINITY })}, which is not an Error`
  const { code } = error as { code?: unknown }
  return `${error.name}${code === undefined ? '' : ` (${String(code)})`}: ${error.message}`
}
