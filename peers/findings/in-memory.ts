import type { Peer } from '../finding.ts'

export const inMemory: Peer = {
  id: 'langchain-in-memory',
  name: 'LangChain `InMemoryChatMessageHistory`',
  from: '@langchain/core/chat_history',
  packages: ['@langchain/core'],
  about: [
    'Its documentation: "Class for storing chat message history in-memory."',
    'A history object is one conversation. Which object belongs to which session id is kept by the store module, so what is said of isolation here is said of that module.',
  ],
  findings: [
    {
      reproduction: 'in-memory-adding-1',
      clauses: ['adding.1'],
      cases: ['adding.1/batches-over-100-and-over-1000', 'adding.1/no-part-is-seen'],
      stopped: ['adding.6/fifty-writers-at-once', 'clearing.1/an-empty-session-that-goes-on'],
      note: '`addMessages` of the base class adds the messages one after the other. LangChain documents it as a bulk addition that saves round trips, and does not say that a batch is added whole. Between the messages of one batch come those of another, and a `clear`.',
    },
    {
      reproduction: 'in-memory-adding-4',
      clauses: ['adding.4'],
      cases: ['adding.4/what-was-given-and-returned-is-a-copy'],
      note: '`getMessages` returns the list and the messages themselves. LangChain does not document whether they are copies.',
    },
  ],
}
