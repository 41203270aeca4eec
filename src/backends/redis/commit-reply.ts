import type { Change, Committed } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { type Refusal, refusalError, toRefusal } from '../../core/refusal.ts'
import { errorReply } from './redis-error.ts'
import { type Reply, textOf } from './reply.ts'
import { operationFromText } from './state-text.ts'

/** What the commit script says of one change. `OWNER`: the session must be put on its owner's list first; `mark` is that of its last erasure. `FAILED` is one of several that share a script, of which the others may have been applied. */
export type CommitReply =
  | { readonly status: 'OK'; readonly committed: Committed }
  | { readonly status: 'LOST' | 'FAILED'; readonly reason: string }
  | { readonly status: 'OWNER'; readonly mark: string }
  | Refusal

/** The record of the operation, or a list that says why not. */
export function toCommitReply(session: string, reply: Reply): CommitReply {
  if (!Array.isArray(reply)) return { status: 'OK', committed: operationFromText(session, textOf(reply)).committed }
  const [status = '', detail = ''] = reply.map(textOf)
  if (status === 'OWNER') return { status, mark: detail }
  return status === 'LOST' || status === 'FAILED' ? { status, reason: detail } : toRefusal(status, detail)
}

/** What the change did; throws if it was not applied. */
export function requireCommitted(session: string, change: Change, reply: CommitReply): Committed {
  switch (reply.status) {
    case 'OK':
      return reply.committed
    case 'LOST':
      throw new MemoryLostError(session, [], reply.reason)
    case 'OWNER':
      throw errorReply('the session is not on the list of its owner')
    case 'FAILED':
      throw errorReply(reply.reason)
    default:
      throw refusalError(session, change, reply)
  }
}
