import type { ChatMessage } from './entries.ts'

export interface TokenBudget {
  /** At most so many tokens, kept leading system messages and summaries included. */
  readonly maxTokens?: number | undefined
  readonly countTokens?: ((message: ChatMessage) => number) | undefined
}

export interface TrimBudget extends TokenBudget {
  /** At most so many messages, kept leading system messages included. Summaries do not count. */
  readonly maxEntries?: number | undefined
  readonly keepSystem?: boolean | undefined
}
