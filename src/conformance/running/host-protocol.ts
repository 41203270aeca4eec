import type { Failure } from '../report/failure.ts'

/** What is known about a store before a case is run. */
export interface Description {
  readonly name: string
  readonly methods: readonly string[]
  readonly capabilities: readonly string[]
}

export interface RunOptions {
  readonly seed: number
  /** A case that takes longer, in milliseconds, is a case that hangs. */
  readonly deadline: number
}

export interface RunRequest extends RunOptions {
  readonly kind: 'run'
  readonly id: string
}

/** To the process that runs the cases; one at a time. After `leave` it ends on its own, unless something keeps it alive. */
export type HostRequest = { readonly kind: 'load' | 'look' | 'diagnose' | 'leave' } | RunRequest

/** The answers, one to each request. */
export type HostAnswer =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'looked'; readonly description: Description }
  /** Why most cases would fail, in a sentence; `null` if nothing is known. */
  | { readonly kind: 'diagnosed'; readonly problem: string | null }
  | { readonly kind: 'ran'; readonly failure: Failure | null; readonly milliseconds: number }
  /** The store's module or its `open` failed: why, in a sentence. */
  | { readonly kind: 'refused'; readonly message: string }

/** Messages that nobody requested. */
export type HostNews =
  /** Ready for requests. A process that ends before this has not touched the store. */
  | { readonly kind: 'ready' }
  /** An error between two cases that nobody handled. */
  | { readonly kind: 'stray'; readonly message: string }
  /** What still keeps it alive some time after `leave`. */
  | { readonly kind: 'left open'; readonly resources: readonly string[] }

export interface HostArgument {
  readonly module: string
  /** Where locations are made; the parent removes it. */
  readonly folder: string
}

/** In the folder: the newest calls of a case under which the process ended. */
export const lastCallsFile = 'last-calls.json'

/** What a process reports that only inspects a store. */
export type Looked =
  | { readonly description: Description; readonly problem: null }
  | { readonly description: null; readonly problem: string }

/** In the folder: what the process saw. */
export const lookedFile = 'looked.json'
