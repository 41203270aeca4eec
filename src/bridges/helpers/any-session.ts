import type { SessionMemory } from '../../core/session-memory.ts'

/** What the bridges use of a session, whatever the type of its messages: `memory.session(id)`, or the `turn` of `withTurn`. */
export type AnySession = Pick<
  SessionMemory<object, object>,
  'id' | 'addEntries' | 'addMessages' | 'clear' | 'getEntries' | 'getHistory' | 'operation' | 'rewind'
>
