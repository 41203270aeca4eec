import type { Backend } from '../core/backend.ts'

/**
 * What cannot be seen from a store's methods:
 *
 * - `persistent`: a memory outlives its last handle.
 * - `processes`: several processes may have handles on one memory.
 * - `ttl`: `open` honours `ttl`.
 * - `operations`: writes take an `operationId` and apply once.
 * - `versions`: reads and writes return `version`, `epoch` and `seqs`, writes take `ifVersion` and `ifEpoch`, reads `atLeast`.
 * - `windows`: `getHistory` takes `last`, `maxEntries`, `maxTokens` and `keepSystem`, `trim` the last two.
 * - `pages`: `getHistory` and `getEntries` take `first`, `last`, `before` and `after`.
 * - `bytes`: `Uint8Array` and `Float32Array` are carried.
 * - `codes`: errors carry the codes of the contract, and what is wrong is refused with its place.
 * - `faults`: `open` honours `wrapBackend` and `timeout`.
 */
export const capabilities = [
  'persistent',
  'processes',
  'ttl',
  'operations',
  'versions',
  'windows',
  'pages',
  'bytes',
  'codes',
  'faults',
] as const
export type Capability = (typeof capabilities)[number]

/** What every store made of `MemoryStore` has, whatever its backend. */
export const memoryStoreCapabilities = {
  ttl: true,
  operations: true,
  versions: true,
  windows: true,
  pages: true,
  bytes: true,
  codes: true,
  faults: true,
} as const satisfies Partial<Record<Capability, true>>

/** The server behind a store. */
export interface Endpoint {
  readonly host: string
  readonly port: number
  readonly protocol: 'redis' | 'postgres'
}

/** How the backend of a store is made to fail. */
export interface FaultOptions {
  /** Puts something that fails between the store and its backend. */
  readonly wrapBackend: (backend: Backend) => Backend
  /** Every call to the backend ends within so many milliseconds. */
  readonly timeout: number
}

export interface OpenRequest extends Partial<FaultOptions> {
  /**
   * Which memory: an absolute path in a folder of the kit's own, at which nothing is yet. Use it as the name of a file or a folder, or, for
   * a server, as a prefix of the keys. The same location again is a second handle on the same memory.
   */
  readonly location: string
  /** Sessions expire so many milliseconds after their last write. */
  readonly ttl?: number
  /** Where the server is to be reached, for a store that names one. */
  readonly endpoint?: Endpoint
}

/** What the author of a store tells the kit, as the default export of one module. */
export interface StoreDefinition<Store extends object = object> {
  readonly name: string
  readonly capabilities?: { readonly [Name in Capability]?: boolean }
  open(request: OpenRequest): Store | Promise<Store>
  close?(store: Store): unknown
  /** Removes what is left of a memory, after its last handle was closed. */
  destroy?(memory: { readonly location: string }): unknown
  readonly endpoint?: Endpoint
}

const fields = new Set(['name', 'capabilities', 'open', 'close', 'destroy', 'endpoint'])

/** Checks a definition and returns it. */
export function defineStore<Store extends object>(definition: StoreDefinition<Store>): StoreDefinition<Store> {
  const problem = problemOf(definition)
  if (problem !== null) throw new TypeError(`defineStore: ${problem}`)
  return definition
}

/** What is wrong with a definition, in words; `null` if nothing is. */
export function problemOf(definition: unknown): string | null {
  if (typeof definition !== 'object' || definition === null)
    return 'expected an object with a name and an open function'
  const given = definition as Partial<Record<string, unknown>>
  const unknown = Object.keys(given).find((name) => !fields.has(name))
  if (unknown !== undefined) return `"${unknown}" is none of ${[...fields].join(', ')}`
  if (typeof given['name'] !== 'string' || given['name'] === '') return 'name: expected text'
  if (typeof given['open'] !== 'function') return 'open: expected a function'
  for (const name of ['close', 'destroy']) {
    if (given[name] !== undefined && typeof given[name] !== 'function') return `${name}: expected a function`
  }
  return problemOfCapabilities(given['capabilities'] ?? {}) ?? problemOfEndpoint(given['endpoint'])
}

function problemOfCapabilities(given: unknown): string | null {
  if (typeof given !== 'object' || given === null) return 'capabilities: expected an object'
  for (const [name, value] of Object.entries(given)) {
    if (!capabilities.includes(name as Capability)) {
      return `capabilities: "${name}" is none of ${capabilities.join(', ')}`
    }
    if (typeof value !== 'boolean') return `capabilities.${name}: expected true or false`
  }
  return null
}

function problemOfEndpoint(given: unknown): string | null {
  if (given === undefined) return null
  const { host, port, protocol } = (given ?? {}) as Partial<Record<string, unknown>>
  if (typeof host !== 'string' || !Number.isInteger(port)) return 'endpoint: expected a host, a port and a protocol'
  return protocol === 'redis' || protocol === 'postgres' ? null : "endpoint.protocol: expected 'redis' or 'postgres'"
}
