import type { ChatMessage } from 'unforget'

const text = 'the agent reads what it was told before and answers with what it remembers of it '.repeat(20)

/** A turn of exactly this many bytes of JSON. */
export function makeTurn(index: number, bytes = 500): ChatMessage {
  const role = index % 2 === 0 ? 'user' : 'assistant'
  const start = `${index}: `
  const missing = bytes - JSON.stringify({ role, content: start }).length
  return { role, content: start + text.slice(0, missing) }
}

export function makeTurns(count: number, from = 0, bytes = 500): ChatMessage[] {
  return Array.from({ length: count }, (_, index) => makeTurn(from + index, bytes))
}
