import { messageOf } from './message-of.ts'

/** Nothing was sent: there was no connection. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super(`no connection: ${messageOf(cause)}`, { cause })
  }
}
