import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'

interface ScriptedAnswer {
  readonly content: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: Record<string, unknown> }[]
}

/** A model that answers by what it is asked, so that it does not matter which process asks. */
export class ScriptedModel extends BaseChatModel {
  readonly #answer: (messages: readonly BaseMessage[]) => ScriptedAnswer

  constructor(answer: (messages: readonly BaseMessage[]) => ScriptedAnswer) {
    super({})
    this.#answer = answer
  }

  override _llmType(): string {
    return 'scripted'
  }

  override bindTools(): this {
    return this
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const { content, calls = [] } = this.#answer(messages)
    const message = new AIMessage({
      content,
      id: `answer-${messages.length}-${content}`,
      tool_calls: calls.map((call) => ({ ...call, type: 'tool_call' as const })),
    })
    return { generations: [{ text: content, message }] }
  }
}
