import { MemoryStoreError } from 'unforget'
import { askForSummary } from './ask-model.ts'
import { type ChatMessage, textOf } from './chat-message.ts'
import type { ChatMemory } from './open-chat-memory.ts'

const mostTokens = 800
const keepTokens = 400

const countTokens = (message: ChatMessage) => Math.ceil(textOf(message).length / 4)

/**
 * Puts a summary in place of the oldest messages once a conversation is long, and returns how many it replaced. It does not take the turn of the
 * session: turns go on meanwhile, and none of their answers is discarded. A turn under another name lets one worker at a time pay for a summary.
 * A worker that finds the conversation short does not take that turn: it would turn away the worker that finds it long a moment later.
 */
export async function compactSession(memory: ChatMemory, model: string, session: string): Promise<number> {
  if (!(await isLong(memory, session))) return 0
  try {
    return await memory.withTurn(`compaction of ${session}`, () => compact(memory, model, session), { wait: 0 })
  } catch (error) {
    if (MemoryStoreError.is(error) && error.code === 'SESSION_BUSY') return 0
    throw error
  }
}

/** A snapshot keeps the replaced messages readable, so that the page can show them. */
async function compact(memory: ChatMemory, model: string, session: string): Promise<number> {
  if (!(await isLong(memory, session))) return 0
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

async function isLong(memory: ChatMemory, session: string): Promise<boolean> {
  const history = await memory.getHistory(session)
  return history.reduce((sum, message) => sum + countTokens(message), 0) > mostTokens
}
