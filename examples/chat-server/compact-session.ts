import { askForSummary } from './ask-model.ts'
import { type ChatMessage, textOf } from './chat-message.ts'
import type { ChatMemory } from './open-chat-memory.ts'

const mostTokens = 800
const keepTokens = 400

const countTokens = (message: ChatMessage) => Math.ceil(textOf(message).length / 4)

/**
 * Puts a summary in place of the oldest messages once a conversation is long. It takes no turn: turns go on meanwhile, and none is discarded by it.
 * A snapshot keeps the messages readable, so that the page can show them.
 */
export async function compactSession(memory: ChatMemory, model: string, session: string): Promise<number> {
  const history = await memory.getHistory(session)
  const tokens = history.reduce((sum, message) => sum + countTokens(message), 0)
  if (tokens <= mostTokens) return 0
  const { removed } = await memory.compact(session, {
    keepTokens,
    countTokens,
    summarize: async (turns) => {
      const { id } = await memory.saveSnapshot(session, { label: 'before a compaction' })
      return { text: await askForSummary(model, turns), metadata: { snapshot: id } }
    },
  })
  return removed
}
