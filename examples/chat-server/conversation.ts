import { listAlternatives } from './alternatives.ts'
import type { ChatMessage } from './chat-message.ts'
import { HttpError } from './http-error.ts'
import type { ChatMemory } from './open-chat-memory.ts'

export interface ShownMessage {
  readonly seq: number
  readonly message: ChatMessage
  /** The seqs of all messages at this place, its own included, oldest first. */
  readonly alternatives: readonly number[]
}

export interface Page {
  /** The seq of a shown message: the page before it. */
  readonly before?: number | undefined
  /** What a summary replaces: the snapshot that reads it, and the seq of its last message. */
  readonly earlier?: { readonly snapshot: string; readonly upTo: number } | undefined
}

const pageSize = 50

/** What the page shows of a conversation: its newest messages, those before them, or those that a summary replaces. */
export async function readConversation(memory: ChatMemory, owner: string, session: string, page: Page) {
  const chat = memory.session(session)
  const info = await chat.sessionInfo()
  if (info === null || info.owner !== owner) throw new HttpError(404, 'you have no such session')
  if (page.earlier !== undefined) {
    const history = await chat.getHistory({ at: page.earlier.snapshot })
    const end = history.seqs.indexOf(page.earlier.upTo) + 1
    const messages = history.slice(0, end).map((message, index) => shown(message, history.seqs[index]))
    return { title: info.title, messages, more: false }
  }
  const [history, others] = await Promise.all([
    chat.getHistory({ last: pageSize, before: page.before }),
    listAlternatives(chat),
  ])
  const messages = history.map((message, index) => {
    const same = others.filter(({ parent }) => parent === message.metadata?.parent).map(({ seq }) => seq)
    return shown(message, history.seqs[index], same)
  })
  return { title: info.title, messages, more: history.length === pageSize }
}

function shown(message: ChatMessage, seq = 0, others: readonly number[] = []): ShownMessage {
  return { seq, message, alternatives: [...new Set([...others, seq])].sort((a, b) => a - b) }
}
