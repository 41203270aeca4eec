import type { StoreMethod } from '../../case.ts'

/** Every method that writes to one session. */
export const sessionWrites = [
  'addMessages',
  'addEntries',
  'recordToolCall',
  'addSummary',
  'trim',
  'clear',
  'compact',
  'saveSnapshot',
  'rollbackToSnapshot',
  'deleteSnapshot',
  'rewind',
  'fork',
  'expire',
  'describe',
  'deleteSession',
] as const satisfies readonly StoreMethod[]
