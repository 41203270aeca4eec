import { messageOf } from './message-of.ts'

/** Nothing was sent to a server, for there was no connection. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super(`no connection: ${messageOf(cause)}`, { cause })
  }
}
