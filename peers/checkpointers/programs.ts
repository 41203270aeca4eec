/** A few lines that are run with several checkpointers, and what they show. */
export interface Program {
  /** File name in `programs/` without its ending. */
  readonly id: string
  readonly title: string
  /** What the program does. Only its output says what happens. */
  readonly does: string
  readonly savers: readonly string[]
}

const theirs = ['MemorySaver', 'SqliteSaver', 'PostgresSaver']
const all = [...theirs, 'UnforgetSaver']

export const programs: readonly Program[] = [
  { id: 'bytes', title: 'Bytes as a pending write', does: 'A task writes three bytes.', savers: all },
  {
    id: 'big-int',
    title: 'A BigInt in the state',
    does: 'A node returns a BigInt. Then the newest checkpoint is read; if it has no `channel_values`, the whole checkpoint is printed.',
    savers: all,
  },
  {
    id: 'clock',
    title: 'A clock that is two seconds slow',
    does: 'The second turn runs with a clock that is two seconds slow, as on another machine or after a clock was corrected.',
    savers: all,
  },
  {
    id: 'siblings',
    title: 'Two branches from one checkpoint',
    does: 'Two runs continue the same checkpoint. Then the thread is read; its newest checkpoint is that of the second run.',
    savers: [...all, 'UnforgetSaver on PostgreSQL'],
  },
  {
    id: 'processes',
    title: 'Two processes on one thread',
    does: 'Two processes run 50 turns each on one thread of one file. A turn takes 20 ms, so that the processes overlap; in a single run without that pause, SqliteSaver lost nothing. `UnforgetSaver` runs once as it is, where two runs at the same time make two branches, and once with each turn in `withTurn`.',
    savers: ['SqliteSaver', 'UnforgetSaver', 'UnforgetSaver, withTurn'],
  },
  {
    id: 'size',
    title: 'Bytes on disk',
    does: '800 turns of 500 bytes, a checkpoint after each.',
    savers: ['SqliteSaver', 'UnforgetSaver'],
  },
  { id: 'limit', title: 'A limit of 0', does: 'A thread of two checkpoints is listed with `limit: 0`.', savers: all },
  {
    id: 'namespace',
    title: 'Writes without a namespace',
    does: 'A config with a thread and a checkpoint, but no namespace, is used to write and to read.',
    savers: all,
  },
  {
    id: 'fresh-file',
    title: 'Deleting from a new database',
    does: '`deleteThread` is the first call. For `PostgresSaver`, `setup` was called before.',
    savers: all,
  },
  {
    id: 'start',
    title: 'A Redis without modules',
    does: 'The documentation of `RedisSaver` says: "This library requires Redis with the following modules", RedisJSON and RediSearch. The server here has neither, so this is the only program that was run with it.',
    savers: ['RedisSaver', 'UnforgetSaver on Redis'],
  },
]
