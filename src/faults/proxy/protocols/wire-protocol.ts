/** A command as a fault plan sees it. */
export interface WireCommand {
  /** In capitals: `EVALSHA`, `COMMIT`. */
  readonly name: string
  /** What comes after the name, as text. Of PostgreSQL: the SQL, then the values of its parameters. */
  readonly args: readonly string[]
}

/** A whole command that a client sent. */
export interface ClientCommand extends WireCommand {
  readonly bytes: Buffer
  /** Clients send it by themselves, to open or maintain a connection: it counts only if a plan names it. */
  readonly isHandshake: boolean
  /** It belongs to the command before, whose reply waits for it: a fault that it meets does not wait for that reply. */
  readonly isContinuation?: boolean
  /** The proxy answers this itself, and the server never sees it. */
  readonly reply?: Buffer
}

/** A whole message of the server. */
export interface ServerMessage {
  readonly bytes: Buffer
  /** Which command it answers; null for one that nobody asked for. */
  readonly command: ClientCommand | null
  /** Nothing else comes in answer to that command. */
  readonly isLast: boolean
  /** The server goes on when the client has said something: this passes at once, and with it what came in answer to the command before. */
  readonly isQuestion?: boolean
}

/** How a client comes to know an error: from the proxy, or in the answer of the server to something that fails there as well. */
export type Failure =
  | { readonly toClient: Buffer; readonly endsConnection: boolean }
  | { readonly toServer: Buffer; readonly endsConnection: false }

/** What is said over one connection: it cuts both streams into messages, and knows which reply belongs to which command. */
export interface WireConversation {
  /** What the client sent, as far as it makes whole commands. */
  fromClient(chunk: Buffer): ClientCommand[]
  /** The command goes to the server now. Returns whether it is going to be answered. */
  forwarded(command: ClientCommand): boolean
  /** The command gets an error. Default: the proxy answers with the result of `errorReply`, and the server sees nothing. */
  failed?(command: ClientCommand, reply: string): Failure
  /** What the server sent, as far as it makes whole messages. Of commands that were not forwarded it never hears. */
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
