import type { Backend } from '../../core/backend.ts'
import type { FullStore } from '../case.ts'

/** The memory a goldfish swims in: one for all handles on it in this process. */
export interface Bowl {
  readonly location: string
  /** Whatever the handles on this memory share in addition to the sound store. */
  readonly shared: Map<string, unknown>
  /** Another sound handle on the same memory. */
  another(): FullStore
}

/** A store with one way of forgetting, otherwise sound. */
export interface Goldfish {
  readonly name: string
  /** The clauses it breaks, the first one first. */
  readonly breaks: readonly string[]
  /** What happens, in two lines at most, as one would tell it to a colleague. */
  readonly story: string
  /** Where it was seen in the wild. */
  readonly seen?: string
  /** If it takes a race: the case that catches it every time. */
  readonly races?: string
  /**
   * The backend: memory by default, a SQLite file if the disease needs one or other processes, or Redis if it is
   * one of the network.
   */
  readonly on?: 'memory' | 'sqlite' | 'redis'
  /** The methods that are ill. All others are those of the sound store. */
  readonly store?: (sound: FullStore, bowl: Bowl) => Partial<FullStore>
  /** Methods of the backend that are ill, for what breaks below the store. */
  readonly backend?: (sound: Backend, bowl: Bowl) => Partial<Backend>
  /** Methods of the backend as the store sees it, whatever a case puts in between, for what the store itself does not look at. */
  readonly between?: (backend: Backend) => Partial<Backend>
}
