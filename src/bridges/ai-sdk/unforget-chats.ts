import type { UIMessage } from 'ai'
import type { AnySession } from '../helpers/any-session.ts'
import type { UIMessageShape } from './ui-message.ts'
import { loadChat, type UnforgetChat } from './unforget-chat.ts'

/** A store of `openMemory`, whatever the type of its messages. */
export interface AnyMemory {
  session(id: string): AnySession
}

/**
 * Chats of the AI SDK: the `UIMessage`s of each one are the messages of an unforget session.
 *
 * Give it the type of your messages, as in `new UnforgetChats<MyUIMessage>(memory)`. It works with AI SDK 6 and 7.
 *
 * @example
 * ```ts
 * const chats = new UnforgetChats(await openMemory('sqlite:chats.db'))
 * const chat = await chats.load(id)
 * await chat.save([...chat.messages, question, answer])
 * ```
 */
export class UnforgetChats<Message extends UIMessageShape = UIMessage> {
  readonly #memory: AnyMemory

  /** @param memory - A store of `openMemory`. */
  constructor(memory: AnyMemory) {
    this.#memory = memory
  }

  /**
   * Reads a chat. One that does not exist has no messages, and is not created.
   *
   * @param id - The id of the chat, which is that of its session: any well-formed, non-empty text.
   * @returns The chat, with its messages and the `save` that is bound to them.
   * @throws What `getHistory` of `MemoryStore` throws.
   */
  load(id: string): Promise<UnforgetChat<Message>> {
    return loadChat<Message>(this.#memory.session(id))
  }
}
