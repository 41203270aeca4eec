import type { BaseMessage } from '@langchain/core/messages'
import type { AnySession } from '../helpers/any-session.ts'
import { BaseListChatMessageHistory } from './core-package.ts'
import { fromStored, toStored } from './stored-message.ts'

/**
 * A LangChain history whose messages are those of an unforget session. Every message comes back as its class, with all its
 * fields.
 *
 * Everything else that unforget does works on it as well: snapshots, rollback, compaction, expiry, export, verify and the
 * command line. A summary that `compact` made is a `SystemMessage`.
 *
 * @example
 * ```ts
 * const memory = await openMemory('sqlite:agent.db')
 * const history = new UnforgetChatMessageHistory(memory.session('user-42'))
 * await history.addMessages([new HumanMessage('My name is Wang')])
 * ```
 */
export class UnforgetChatMessageHistory extends BaseListChatMessageHistory {
  /** Where LangChain says that the class is from. */
  override lc_namespace: string[] = ['unforget', 'langchain']
  readonly #session: AnySession

  /** @param session - `memory.session(id)`, or the `turn` of `withTurn`. */
  constructor(session: AnySession) {
    super()
    this.#session = session
  }

  /** Reads the messages, oldest first. */
  override async getMessages(): Promise<BaseMessage[]> {
    const history = await this.#session.getHistory()
    return [...history].map(fromStored)
  }

  /** Appends a message. `addMessages` takes one commit for many. */
  override addMessage(message: BaseMessage): Promise<void> {
    return this.addMessages([message])
  }

  /**
   * Appends the messages in order, all of them or none.
   *
   * @throws `INVALID_ENTRY` with the place of what cannot be stored, such as an instance of a class in an artifact.
   * Documents can be.
   */
  override async addMessages(messages: BaseMessage[]): Promise<void> {
    if (messages.length > 0) await this.#session.addMessages(messages.map(toStored))
  }

  /** Removes all messages. Snapshots that were saved stay; `memory.deleteSession` erases those, too. */
  override async clear(): Promise<void> {
    await this.#session.clear()
  }
}
