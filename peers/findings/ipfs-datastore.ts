import type { Peer } from '../finding.ts'

export const ipfsDatastore: Peer = {
  id: 'langchain-ipfs-datastore',
  name: 'LangChain `IPFSDatastoreChatMessageHistory` on `datastore-fs`',
  from: '@langchain/community/stores/message/ipfs_datastore',
  packages: ['@langchain/community', '@langchain/core', 'datastore-fs', 'interface-datastore', 'cborg', 'it-all'],
  about: [
    'Its documentation: "you can use the IPFS Datastore Chat Memory to wrap an IPFS Datastore allowing you to use any IPFS compatible datastore", with `FsDatastore` of `datastore-fs` in its example. It does not say whether several processes may use one folder.',
    'A memory is a folder. The results can differ on another datastore.',
  ],
  unsteady: ['adding.1/no-part-is-seen'],
  findings: [
    {
      reproduction: 'ipfs-datastore-adding-2',
      clauses: ['adding.2', 'history.1'],
      cases: ['adding.2/every-role-in-order', 'adding.2/the-clock-steps-back', 'history.1/no-hidden-limit'],
      stopped: [
        'adding.8/another-handle-reads-it',
        'isolation.3/two-conversations-interleaved',
        'values.1/any-text',
        'values.1/nul-and-lone-surrogates',
        'processes.1/the-next-process-goes-on',
        'processes.3/conversations-of-their-own',
      ],
      note: 'The key of a message ends in its number, and the history is the result of a query, in the order it comes back. `interface-datastore` promises an order only if a query asks for one; `datastore-fs` returns the files by name.',
    },
    {
      reproduction: 'ipfs-datastore-adding-1',
      clauses: ['adding.1'],
      cases: ['adding.1/long-batches'],
      note: 'A batch is one file per message, written 50 at a time. LangChain documents `addMessages` as a bulk addition that saves round trips, and does not say that a batch is added whole.',
    },
    {
      reproduction: 'ipfs-datastore-adding-4',
      clauses: ['adding.4'],
      cases: ['adding.4/given-and-returned-copies'],
      note: 'Input is encoded after the number of messages was read. LangChain does not document whether messages are copied.',
    },
    {
      reproduction: 'ipfs-datastore-adding-6',
      clauses: ['adding.6'],
      cases: ['adding.6/fifty-writers-at-once'],
      stopped: ['clearing.1/empty-and-goes-on'],
      note: 'The number of a message is the current count. Concurrent writers get the same count and write to the same key; the file ends up as one of theirs, or cannot be decoded.',
    },
    {
      reproduction: 'ipfs-datastore-isolation-1',
      clauses: ['isolation.1'],
      cases: ['isolation.1/ids-that-look-alike'],
      stopped: ['processes.1/every-field-of-every-session'],
      note: 'The session id is part of the key, and of the pattern that finds keys. `datastore-fs` documents: "Keys need to be sanitized before use, as they are written to the file system as is." LangChain does not document which ids may be used. An id with NUL ends the process with an error that no caller can catch; the last lines catch it for the whole process.',
    },
    {
      reproduction: 'ipfs-datastore-values-2',
      clauses: ['values.2'],
      cases: ['values.2/every-field'],
      note: 'Of the fields in the case, only `__proto__` is lost. `toDict` of `@langchain/core`, which is used to store messages, drops it. LangChain does not document which keys `additional_kwargs` may have.',
    },
    {
      reproduction: 'ipfs-datastore-values-7',
      clauses: ['values.7'],
      cases: ['values.7/kept-or-refused'],
      note: 'LangChain does not document which values `additional_kwargs` may hold; its type is `Record<string, unknown>`.',
    },
    {
      reproduction: 'ipfs-datastore-processes-2',
      clauses: ['processes.2'],
      cases: ['processes.2/killed-within-a-batch', 'processes.2/killed-writing-long-conversations'],
      note: 'The messages of a batch are written 50 at a time.',
    },
    {
      reproduction: 'ipfs-datastore-processes-3',
      clauses: ['processes.3', 'processes.6'],
      cases: ['processes.3/three-write-to-one-conversation', 'processes.6/four-begin-at-once'],
      note: 'The same as with concurrent writers in one process: they get the same count and write to the same key.',
    },
  ],
}
