import type { ChatMessage, MemoryStore, OpenOptions } from 'unforget'

/** One check of one clause of docs/contract.md, on whatever store it is given. Knows no test runner. */
export interface BehaviourCase {
  /** The clause it checks, and what it does there. */
  readonly clause: string
  readonly title: string
  run(context: BehaviourContext): Promise<void>
}

export interface BehaviourContext {
  /** A store on an empty memory. */
  readonly store: MemoryStore
  /** Another store, on an empty memory of its own. */
  open(options?: OpenOptions): Promise<MemoryStore>
}

export function turns(count: number, from = 1): ChatMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    role: (from + index) % 2 === 1 ? ('user' as const) : ('assistant' as const),
    content: `turn ${from + index}`,
  }))
}

export function texts(messages: readonly ChatMessage[]): unknown[] {
  return messages.map(({ content }) => content)
}
