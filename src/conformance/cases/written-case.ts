import type { Case } from '../case.ts'
import type { Capability } from '../store-definition.ts'

/** A case as it is written. The methods it calls are not: `npm run needs` sees them and writes needed-methods.ts. */
export interface WrittenCase extends Omit<Case, 'needs'> {
  /** What the store must declare for the case to be run; nothing by default. */
  readonly needs?: readonly (Capability | 'endpoint')[]
}
