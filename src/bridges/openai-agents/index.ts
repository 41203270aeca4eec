export type { AnySession } from '../helpers/any-session.ts'
export { SuffixConflictError } from './suffix-conflict-error.ts'
export { UnforgetSession } from './unforget-session.ts'
