import type { ChatMessage } from './entries.ts'

/** A limit in tokens, counted by the caller's function. */
export interface TokenBudget<Item extends object = ChatMessage> {
  /**
   * Keep at most this many tokens. Leading system messages that are kept and summaries in the history count. Needs
   * `countTokens`. Default: no limit.
   */
  readonly maxTokens?: number | undefined
  /**
   * Returns the number of tokens of one message, 0 or more. Called for each message that is looked at; if it
   * throws, the call rejects with that error. Required with `maxTokens`.
   */
  readonly countTokens?: ((message: Item) => number) | undefined
}

/**
 * How much of a history to keep: the newest messages that fit. A cut never separates a tool call from its results. With
 * both limits, both hold.
 */
export interface TrimBudget<Item extends object = ChatMessage> extends TokenBudget<Item> {
  /**
   * Keep at most this many messages. Leading system messages that are kept count; summaries do not. Default: no limit.
   */
  readonly maxEntries?: number | undefined
  /** Keep the system messages at the start of the history. Default: false. */
  readonly keepSystem?: boolean | undefined
  /**
   * `user`: what is kept begins with a user message, after system messages and summaries, as several providers
   * require. A message that brings tool results is not one. If the newest part that begins this way exceeds the budget,
   * it is kept whole. If nothing can begin this way, the option is ignored. Default: it may begin with any
   * message.
   */
  readonly startOn?: 'user' | undefined
}
