/** A command as a fault plan sees it. */
export interface WireCommand {
  /** In capitals: `EVALSHA`, `COMMIT`. */
  readonly name: string
  /** What comes after the name, as text. For PostgreSQL: the SQL, then the parameter values. */
  readonly args: readonly string[]
}

/** A whole command that a client sent. */
export interface ClientCommand extends WireCommand {
  readonly bytes: Buffer
  /** Clients send it on their own, to open or maintain a connection: it counts only if a plan names it. */
  readonly isHandshake: boolean
  /** Belongs to the previous command, whose reply waits for it, so a fault here does not wait for that reply. */
  readonly isContinuation?: boolean
  /** The proxy answers this itself, and the server never sees it. */
  readonly reply?: Buffer
}

/** A whole message of the server. */
export interface ServerMessage {
  readonly bytes: Buffer
  /** Which command it answers; null for an unsolicited message. */
  readonly command: ClientCommand | null
  /** The last message in reply to that command. */
  readonly isLast: boolean
  /** The server waits for the client: this passes at once, together with earlier replies. */
  readonly isQuestion?: boolean
}

/** How a client learns about an error: from the proxy, or from the server, where something fails as well. */
export type Failure =
  | { readonly toClient: Buffer; readonly endsConnection: boolean }
  | { readonly toServer: Buffer; readonly endsConnection: false }

/** The conversation on one connection: cuts both streams into messages, and matches replies with commands. */
export interface WireConversation {
  /** The whole commands that the client sent. */
  fromClient(chunk: Buffer): ClientCommand[]
  /** Called when the command is forwarded. Returns whether it will be answered. */
  forwarded(command: ClientCommand): boolean
  /** The command gets an error. Default: the proxy answers with the result of `errorReply`, and the server sees nothing. */
  failed?(command: ClientCommand, reply: string): Failure
  /** The whole messages that the server sent. It never sees commands that were not forwarded. */
  fromServer(chunk: Buffer): ServerMessage[]
}

/** Everything the proxy needs to know about a protocol. */
export interface WireProtocol {
  /** For the address of the proxy: `redis` makes `redis://127.0.0.1:…`. */
  readonly scheme: string
  /** The error replies that are known by name. */
  readonly errorReplies?: readonly string[]
  open(): WireConversation
  /** An error reply, by its name or as the server would word it. Throws a TypeError for one it does not know. */
  errorReply(reply: string): Buffer
}
