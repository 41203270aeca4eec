import type { UIMessage } from 'ai'
import type { AnySession } from '../helpers/any-session.ts'
import { type ChatState, commitChat, type SaveOptions } from './commit-chat.ts'
import { printOf, toUIMessage, type UIMessageShape } from './ui-message.ts'

/**
 * Reads the chat that a session holds. `UnforgetChats.load` does this for an id; within `withTurn`, pass it the `turn`.
 *
 * @param session - `memory.session(id)`, or a turn.
 * @returns The chat, with its messages and the `save` that is bound to them.
 * @throws What `getHistory` of `MemoryStore` throws.
 */
export async function loadChat<Message extends UIMessageShape = UIMessage>(
  session: AnySession,
): Promise<UnforgetChat<Message>> {
  const history = await session.getHistory()
  const { version, epoch, seqs } = history
  const messages = [...history].map((item, index) => toUIMessage<Message>(item, seqs[index]))
  return new UnforgetChat<Message>(session, messages, { version, epoch, seqs, prints: messages.map(printOf) })
}

/** A chat as it was when it was loaded or saved. */
export class UnforgetChat<Message extends UIMessageShape = UIMessage> {
  /**
   * The messages, oldest first, as they were saved. A summary that `compact` made is a `system` message, or one of its
   * `summaryRole`, unless the store has a `summaryMessage` of its own.
   */
  readonly messages: Message[]
  readonly #session: AnySession
  readonly #state: ChatState

  /** Use `UnforgetChats.load` or `loadChat`. */
  constructor(session: AnySession, messages: Message[], state: ChatState) {
    this.#session = session
    this.messages = messages
    this.#state = state
  }

  /** The id of the chat. */
  get id(): string {
    return this.#session.id
  }

  /**
   * Makes the chat hold exactly these messages: those that were loaded, with new ones after them or with another end.
   *
   * New messages are appended. If an earlier message was edited, removed or regenerated, everything from it on is
   * replaced, in one commit. The save is bound to what this chat saw: if somebody else added messages or took some back
   * since, it is refused and nothing is changed. If the session was only compacted, trimmed or described since, it is
   * saved. If nothing differs, nothing is written.
   *
   * @param messages - The whole chat, oldest first.
   * @param options - `operationId`; and `owner`, `title` and `metadata` of a chat that begins with this save.
   * @returns The chat as it is now. Save the next turn with that one: of two saves from one chat, the second is refused.
   * @throws `VERSION_CONFLICT` if the chat was changed since, `INVALID_ENTRY` with the place of what cannot be stored,
   * `OPERATION_CONFLICT`, and the common errors of `MemoryStore`.
   * @cost One commit to append, one read more to replace. After a conflict, it reads the chat again.
   */
  async save(messages: readonly Message[], options: SaveOptions = {}): Promise<UnforgetChat<Message>> {
    const state = await commitChat(this.#session, this.#state, messages, options)
    return new UnforgetChat<Message>(this.#session, [...messages], state)
  }
}
