import type { Case } from '../case.ts'
import type { Capability } from '../store-definition.ts'

/** A case as written. It does not list the methods it calls: `npm run needs` records them in needed-methods.ts. */
export interface WrittenCase extends Omit<Case, 'needs'> {
  /** What the store must declare for the case to be run; nothing by default. */
  readonly needs?: readonly (Capability | 'endpoint')[]
}
