import type { Peer } from '../finding.ts'

export const fileSystem: Peer = {
  id: 'langchain-file-system',
  name: 'LangChain `FileSystemChatMessageHistory`',
  from: '@langchain/community/stores/message/file_system',
  packages: ['@langchain/community', '@langchain/core'],
  unfinished: ['processes.2/killed-writing-long-conversations'],
  about: [
    'Its documentation: "Store chat message history using a local JSON file. For demo and development purposes only." It does not say whether several processes may use one file.',
    'A memory is a file. Each file was opened with a copy of the module of its own, because a module knows only one file (see below).',
  ],
  findings: [
    {
      reproduction: 'file-system-files',
      clauses: [],
      cases: [],
      note: 'The module keeps what it read in one variable, whatever the `filePath`. Here, a session of one file is read through another file that nobody wrote to.',
    },
    {
      reproduction: 'file-system-adding-1',
      clauses: ['adding.1'],
      cases: ['adding.1/long-batches', 'adding.1/no-part-is-seen'],
      stopped: ['clearing.1/empty-and-goes-on'],
      note: '`addMessages` of the base class adds the messages one by one. LangChain documents it as a bulk addition that saves round trips, and does not say that a batch is added whole.',
    },
    {
      reproduction: 'file-system-adding-4',
      clauses: ['adding.4'],
      cases: ['adding.4/given-and-returned-copies'],
      note: 'LangChain does not document whether messages are copied.',
    },
    {
      reproduction: 'file-system-adding-6',
      clauses: ['adding.6'],
      cases: ['adding.6/fifty-writers-at-once'],
      stopped: [
        'isolation.1/ids-that-look-alike',
        'isolation.1/a-thousand-sessions',
        'isolation.3/twenty-conversations-at-once',
        'processes.1/every-field-of-every-session',
      ],
      note: 'If the first calls of a process are concurrent, each reads the file and replaces what the others have added. Later, two concurrent calls on one session each read the messages before the other has added its own.',
    },
    {
      reproduction: 'file-system-values-2',
      clauses: ['values.2'],
      cases: ['values.2/every-field'],
      note: 'Of the fields in the case, only `__proto__` is lost. `toDict` of `@langchain/core`, which is used to store messages, drops it. LangChain does not document which keys `additional_kwargs` may have.',
    },
    {
      reproduction: 'file-system-values-7',
      clauses: ['values.7'],
      cases: ['values.7/kept-or-refused'],
      note: 'LangChain does not document which values `additional_kwargs` may hold; its type is `Record<string, unknown>`. A message that cannot be written is rejected but stays in the memory of the process, and nothing else can be written until its session is cleared.',
    },
    {
      reproduction: 'file-system-processes-2',
      clauses: ['processes.2'],
      cases: ['processes.2/killed-within-a-batch'],
      note: 'The messages of a batch are written one by one. If the reader of the case read the file before it existed, it waits for them until its deadline (next finding).',
    },
    {
      reproduction: 'file-system-processes-3',
      clauses: ['processes.3', 'processes.4', 'processes.6'],
      cases: [
        'processes.3/three-write-to-one-conversation',
        'processes.3/conversations-of-their-own',
        'processes.6/four-begin-at-once',
      ],
      stopped: ['processes.2/killed-between-two-writes'],
      note: 'A process reads the file once and writes all of it on every call. (The cases of processes.4 need `trim` and were not run.) In the cases of processes.2, the acknowledged turns are in the file, but the process that asks for them read it before they were written.',
    },
  ],
}
