import type { Peer } from '../finding.ts'

export const redis: Peer = {
  id: 'langchain-redis',
  name: 'LangChain `RedisChatMessageHistory`',
  from: '@langchain/redis',
  packages: ['@langchain/redis', '@langchain/core', 'redis'],
  server: 'redis',
  about: [
    'Its documentation: "Class for storing chat message history using Redis." and "For longer-term persistence across chat sessions, you can swap out the default in-memory chatHistory that backs chat memory classes like BufferMemory for a Redis instance." It does not say whether several processes may use one session.',
    'The key of a session is its id, so a memory is a prefix that the store module puts before the ids. A handle is a client, which the module connects before the first call (see below). `sessionTTL` is in seconds, and the `ttl` cases use milliseconds, so they were not offered. The server keeps no append-only file, and was not stopped. The programs use the server that `REDIS_URL` names, or the one at 127.0.0.1:6379.',
  ],
  findings: [
    {
      reproduction: 'redis-connecting',
      clauses: [],
      cases: [],
      note: 'If the client is not ready, a call connects it, even if another call is already connecting it. No clause covers this: the call is rejected.',
    },
    {
      reproduction: 'redis-adding-1',
      clauses: ['adding.1'],
      cases: ['adding.1/long-batches', 'adding.1/no-part-is-seen'],
      stopped: [
        'adding.6/fifty-writers-at-once',
        'clearing.1/empty-and-goes-on',
        'processes.3/three-write-to-one-conversation',
      ],
      note: '`addMessages` of the base class adds the messages one by one, each with a separate command. LangChain documents it as a bulk addition that saves round trips, and does not say that a batch is added whole. Messages of another batch, from this process or another one, or a `clear`, can come between the messages of one batch.',
    },
    {
      reproduction: 'redis-adding-4',
      clauses: ['adding.4'],
      cases: ['adding.4/given-and-returned-copies'],
      note: 'Input is encoded after a check that the client is ready, which takes a tick of the event loop. LangChain does not document whether messages are copied.',
    },
    {
      reproduction: 'redis-values-2',
      clauses: ['values.2'],
      cases: ['values.2/every-field'],
      note: 'Of the fields in the case, only `__proto__` is lost. `toDict` of `@langchain/core`, which is used to store messages, drops it. LangChain does not document which keys `additional_kwargs` may have.',
    },
    {
      reproduction: 'redis-values-7',
      clauses: ['values.7'],
      cases: ['values.7/kept-or-refused'],
      note: 'LangChain does not document which values `additional_kwargs` may hold; its type is `Record<string, unknown>`. If a batch is rejected because of one message, the messages before it are stored.',
    },
    {
      reproduction: 'redis-processes-2',
      clauses: ['processes.2'],
      cases: ['processes.2/killed-within-a-batch', 'processes.2/killed-writing-long-conversations'],
      note: 'The messages of a batch are written one by one.',
    },
  ],
}
