import type { Change, Committed } from '../../core/backend.ts'
import { type Refusal, refusalError, toRefusal } from '../../core/refusal.ts'
import { toCommitted } from './rows.ts'

/**
 * What a function that writes says.
 * - `BUSY`: the session is locked by others, and it was not to wait for them.
 * - `ISOLATION`: the server's default isolation is not READ COMMITTED, and nothing was done.
 * - `LOST`: reading the session tells what.
 * - `APPENDED`: by `append`, which says less, for it is called for every turn.
 */
export type Reply =
  | { readonly status: 'BUSY' | 'ISOLATION' | 'LOST' }
  | { readonly status: 'OK'; readonly details: readonly unknown[] }
  | Appended
  | Refusal

interface Appended extends Pick<Committed, 'version' | 'epoch' | 'first' | 'at'> {
  readonly status: 'APPENDED'
}

/** A list as JSON, with the status first; the words of an append, with a space between them. */
export function toReply(text: string): Reply {
  if (!text.startsWith('[')) {
    const [version = '', epoch = '', first, at] = text.split(' ')
    return { status: 'APPENDED', version, epoch, first: Number(first), at: Number(at) }
  }
  const [status, ...details] = JSON.parse(text) as [string, ...unknown[]]
  switch (status) {
    case 'BUSY':
    case 'ISOLATION':
    case 'LOST':
      return { status }
    case 'OK':
      return { status, details }
    default:
      return toRefusal(status, details[0])
  }
}

/** What a change did, or the error that says why it was not applied; `null` if the session is lost. */
export function toOutcome(session: string, change: Change, reply: Reply): Committed | Error | null {
  switch (reply.status) {
    case 'APPENDED': {
      const { version, epoch, first, at } = reply
      return { version, epoch, first, count: change.append?.length ?? 0, at, answer: null }
    }
    case 'OK':
      return toCommitted(session, reply.details)
    case 'BUSY':
    case 'ISOLATION':
    case 'LOST':
      return null
    default:
      return refusalError(session, change, reply)
  }
}

/** Why something other than a change was not done; `null` if it was. */
export function refusedBy(session: string, change: Change, reply: Reply): Error | null {
  const outcome = reply.status === 'OK' ? null : toOutcome(session, change, reply)
  return outcome instanceof Error ? outcome : null
}
