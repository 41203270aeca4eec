import { PostgresConversation } from './postgres-conversation.ts'
import { encodeError, postgresErrorReplies } from './postgres-errors.ts'
import type { WireProtocol } from './wire-protocol.ts'

/** The protocol of PostgreSQL, version 3. */
export const postgres: WireProtocol = {
  scheme: 'postgres',
  errorReplies: postgresErrorReplies,
  open: () => new PostgresConversation(),
  errorReply: (reply) => encodeError(reply, 'this').bytes,
}
