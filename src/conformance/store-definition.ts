import type { Backend } from '../core/backend.ts'
import type { Summary, SummaryMessage } from '../core/entries.ts'

/**
 * What a store can declare because its methods do not show it. The kit reports a case that needs a capability the store
 * does not declare as *not offered*, never as passed.
 *
 * - `persistent`: a memory outlives its last handle.
 * - `processes`: several processes may have handles on one memory at the same time.
 * - `ttl`: `open` honors `ttl`.
 * - `operations`: writes take an `operationId` and apply once.
 * - `versions`: reads and writes return `version`, `epoch` and `seqs`; writes take `ifVersion` and `ifEpoch`, reads
 *   `atLeast`.
 * - `windows`: `getHistory` takes `last`, `maxEntries`, `maxTokens`, `keepSystem` and `startOn`, and `trim` takes all
 *   but `last`.
 * - `pages`: `getHistory` and `getEntries` take `first`, `last`, `before` and `after`.
 * - `edits`: `rewind` takes `before`, `add`, `entries` and `snapshot`; `fork` takes `to` and `ifVersion`, `deleteSession`
 *   takes `ifVersion`, and `trim` takes `records`.
 * - `owners`: writes that create a session take `owner`, `title` and `metadata`, `sessionInfo` returns them, and
 *   `listSessions` takes `owner`.
 * - `bytes`: `Uint8Array`, `Float32Array`, `ArrayBuffer` and `URL` come back as they were given.
 * - `exact`: a message is any object, and comes back with the same keys in the same order.
 * - `summaryMessage`: `open` honors `summaryMessage`.
 * - `codes`: errors carry the codes of the contract, and a bad value is rejected with its place.
 * - `faults`: `open` honors `wrapBackend` and `timeout`.
 * - `turns`: `withTurn` holds across all handles on a memory, and its writes are checked by the store that keeps them.
 * - `signals`: calls that may take a long time take a `signal`.
 */
export const capabilities = [
  'persistent',
  'processes',
  'ttl',
  'operations',
  'versions',
  'windows',
  'pages',
  'edits',
  'owners',
  'bytes',
  'exact',
  'summaryMessage',
  'codes',
  'faults',
  'turns',
  'signals',
] as const

/** The name of one capability. */
export type Capability = (typeof capabilities)[number]

/**
 * The capabilities of every store built on `MemoryStore`, with any backend. Spread it into `capabilities`, and add
 * `persistent`, `processes`, `turns` and `owners` if the backend has them, and `summaryMessage` if `open` passes it on.
 */
export const memoryStoreCapabilities = {
  ttl: true,
  operations: true,
  versions: true,
  windows: true,
  pages: true,
  edits: true,
  bytes: true,
  exact: true,
  codes: true,
  faults: true,
  signals: true,
} as const satisfies Partial<Record<Capability, true>>

/** The server that a store talks to. The kit puts a proxy in front of it that fails on command. */
export interface Endpoint {
  /** A host name or an address. */
  readonly host: string
  /** The port that the server listens on. */
  readonly port: number
  /** The protocol, so that the proxy can tell commands and replies apart. */
  readonly protocol: 'redis' | 'postgres'
}

/** How the kit makes the backend of a store fail. Only a store that declares `faults` receives it. */
export interface FaultOptions {
  /** Wraps the store's backend in one that fails as planned. Call it once, with the open backend. */
  readonly wrapBackend: (backend: Backend) => Backend
  /** Every call to the backend must end within this many milliseconds. Pass it to `MemoryStore` as `timeout`. */
  readonly timeout: number
}

/** What the kit asks of `open`: which memory to open, and how. */
export interface OpenRequest extends Partial<FaultOptions> {
  /**
   * Which memory to open. It is an absolute path in a folder that the kit made, where nothing exists at first. Use it as
   * the name of a file or a folder; for a server, use it as a prefix of the keys.
   *
   * The same location again means a second handle on the same memory, in this process or in another. Two locations must
   * never share anything.
   */
  readonly location: string
  /** Sessions expire this many milliseconds after their last write. Default: they do not expire. */
  readonly ttl?: number
  /**
   * Makes the message that a compaction's summary appears as in the history. Only a store that declares
   * `summaryMessage` receives it. Default: `{ role: 'system', content: summary.text }`.
   */
  readonly summaryMessage?: (summary: Summary) => SummaryMessage
  /**
   * Where to reach the server, for a store that names one in `endpoint`: the server itself, or the proxy in front of
   * it.
   */
  readonly endpoint?: Endpoint
}

/**
 * What the author of a store tells the kit, as the default export of one module. The kit loads that module in separate
 * processes, opens and closes the store there, and kills some of them.
 *
 * @example
 * ```ts
 * import { defineStore } from 'unforget/conformance'
 * import { MyStore } from './my-store.js'
 *
 * export default defineStore({
 *   name: 'my store',
 *   capabilities: { persistent: true },
 *   open: ({ location }) => MyStore.open(location),
 *   close: (store) => store.close(),
 * })
 * ```
 */
export interface StoreDefinition<Store extends object = object> {
  /** The name of the store in reports. Not empty. */
  readonly name: string
  /** What the store can do that its methods do not show; see `capabilities`. Default: none. */
  readonly capabilities?: { readonly [Name in Capability]?: boolean }
  /**
   * Opens a handle on a memory. The kit looks at the methods of the handle: a case that needs a method that is missing
   * is *not offered*. It calls this often, several times for one location.
   *
   * If it throws or rejects, the report says that the store cannot be opened.
   */
  open(request: OpenRequest): Store | Promise<Store>
  /** Closes a handle. The kit awaits it. Default: the handle is dropped without a call. */
  close?(store: Store): unknown
  /**
   * Removes what is left of a memory, after its last handle was closed. The kit awaits it. Default: only the kit's
   * folder is removed.
   */
  destroy?(memory: { readonly location: string }): unknown
  /** The server that the store talks to, for the cases where its connection fails. Default: none. */
  readonly endpoint?: Endpoint
}

const fields = new Set(['name', 'capabilities', 'open', 'close', 'destroy', 'endpoint'])

/**
 * Checks a definition and returns it. It also gives the handle its type in `close`.
 *
 * @param definition - The store; see `StoreDefinition`.
 * @returns The same object.
 * @throws `TypeError` that names the first field that is unknown, missing or of the wrong type.
 */
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
  if (unknown !== undefined) return `unknown field "${unknown}"; expected one of ${[...fields].join(', ')}`
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
      return `capabilities: unknown name "${name}"; expected one of ${capabilities.join(', ')}`
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
