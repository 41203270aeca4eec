import type { Backend } from '../core/backend.ts'
import type { MemoryStore } from '../core/memory-store.ts'
import type { FaultPlan } from '../faults/fault-plan.ts'
import type { FaultyBackend } from '../faults/faulty.ts'
import type { FaultProxy } from '../faults/proxy/fault-proxy.ts'
import type { Capability, OpenRequest } from './store-definition.ts'

/** From what any store must keep to what a whole memory promises. */
export const levels = ['core', 'full', 'snapshots', 'processes', 'faults', 'model'] as const
export type Level = (typeof levels)[number]

/** Everything `MemoryStore` can do. A store under proof has the methods that the case needs. */
export type FullStore = Pick<MemoryStore, keyof MemoryStore>
export type StoreMethod = keyof FullStore & string

/** A method of the store, a capability it declares, or the server it names. */
export type Need = StoreMethod | Capability | 'endpoint'

/** One check of one clause of docs/contract.md. Plain code over `node:assert`; leaves nothing. */
export interface Case {
  /** The clause, and what the case does there: `adding.6/fifty-writers-at-once`. */
  readonly id: string
  readonly clause: string
  readonly level: Level
  /** What the store must offer for the case to be run. */
  readonly needs: readonly Need[]
  /** In one sentence, for people. */
  readonly title: string
  run(context: CaseContext): Promise<void>
}

/** Default deadline of a case, in milliseconds. A case that takes longer hangs. */
export const defaultDeadline = 20_000

/** What a case is given. Everything it opens is closed and destroyed when it ends, however it ends. */
export interface CaseContext {
  /** A handle on an empty memory. */
  readonly store: FullStore
  /** A handle on its own empty memory. */
  open(options?: Pick<OpenRequest, 'ttl' | 'summaryMessage'>): Promise<FullStore>
  /** Another handle on the memory of `store`, or of the one given. */
  again(store?: FullStore): Promise<FullStore>
  /** Closes a handle before the case ends. */
  close(store: FullStore): Promise<void>
  /** A handle in a separate process, on the memory of `store` or at another location. */
  inProcess(location?: string): Promise<RemoteHandle>
  /** A location where nothing exists yet. */
  newLocation(): string
  /** A handle whose backend fails as planned, on its own empty memory or on that of another handle. */
  withFaults(plan: FaultPlan, options?: FaultyOptions): Promise<FaultyHandle>
  /** A handle whose backend is wrapped by `wrap`, on its own empty memory or on that of another handle. */
  wrapped(wrap: (backend: Backend) => Backend, options?: { on?: FullStore; timeout?: number }): Promise<WrappedHandle>
  /** A handle that reaches its server through a proxy that can fail, on its own empty memory. */
  throughProxy(options: { timeout: number }): Promise<ProxiedHandle>
  /** Seeds everything random in the case: the same seed gives the same run. */
  readonly seed: number
}

/** A handle on a memory, in a separate process. */
export interface RemoteHandle {
  /** Its methods; what they return and reject with comes from there. The turn of `withTurn` is held there, and its function runs here. */
  readonly store: FullStore
  /** Closes the handle and lets the process end on its own. */
  finish(): Promise<void>
  /** The process exits at once, without closing anything. */
  leave(): Promise<void>
  /** Ends it with SIGKILL, wherever it is. */
  kill(): Promise<void>
  /** Stops it with SIGSTOP, wherever it is, and resumes it. */
  stop(): void
  goOn(): void
}

export interface ProxiedHandle {
  readonly store: FullStore
  readonly proxy: FaultProxy
  /** Another handle on the same memory, which does not go through the proxy. Its timeout is as long as the case waits for anything. */
  readonly sound: FullStore
}

export interface FaultyOptions {
  /** The timeout of every call to the backend, in milliseconds; default 100. */
  readonly timeout?: number
  readonly on?: FullStore
}

export interface WrappedHandle {
  readonly store: FullStore
  /** Another handle on the same memory, on which nothing fails. */
  readonly sound: FullStore
}

export interface FaultyHandle extends WrappedHandle {
  /** What the handle talks to: says which faults fired. */
  readonly backend: FaultyBackend
}
