import type { ChatMessage } from 'unforget'

/** How many turns process B writes at once. */
export const writers = 4

/** The messages of one turn of process B. They are added in one call, so the file holds all of them or none. */
export function rubbishTurn(turn: number): ChatMessage[] {
  const metadata = { turn }
  return [
    { role: 'user', content: `And now? (${turn})`, metadata },
    { role: 'assistant', content: `Who are you? I know nobody called Wang. (${turn})`, metadata },
  ]
}
