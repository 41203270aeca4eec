import type { Peer } from '../finding.ts'

export const inMemory: Peer = {
  id: 'langchain-in-memory',
  name: 'LangChain `InMemoryChatMessageHistory`',
  from: '@langchain/core/chat_history',
  packages: ['@langchain/core'],
  about: [
    'Its documentation: "Class for storing chat message history in-memory."',
    'A history object is one conversation. The store module maps session ids to objects, so results about isolation are about that module.',
  ],
  findings: [
    {
      reproduction: 'in-memory-adding-1',
      clauses: ['adding.1'],
      cases: ['adding.1/long-batches', 'adding.1/no-part-is-seen'],
      stopped: ['adding.6/fifty-writers-at-once', 'clearing.1/empty-and-goes-on'],
      note: '`addMessages` of the base class adds the messages one by one. LangChain documents it as a bulk addition that saves round trips, and does not say that a batch is added whole. Messages of another batch, or a `clear`, can come between the messages of one batch.',
    },
    {
      reproduction: 'in-memory-adding-4',
      clauses: ['adding.4'],
      cases: ['adding.4/given-and-returned-copies'],
      note: '`getMessages` returns the actual list and messages. LangChain does not document whether they are copies.',
    },
  ],
}
