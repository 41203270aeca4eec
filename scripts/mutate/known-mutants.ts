import type { Mutant } from './find-mutants.ts'

/** Why mutants of a place change nothing that the contract promises. */
interface Known {
  /** A file, as it is built. */
  readonly file: string
  /** What is changed; default: anything in the file. */
  readonly original?: string
  readonly mutated?: string
  /** A part of the line; required unless the whole file is meant. */
  readonly line?: string
  readonly why: string
}

const pace = 'It decides how much is read or done before the event loop gets its turn, not what is returned.'
const overreads = 'It only decides how much is read. The page is cut from what was read.'
const tells = 'It goes to a diagnostics channel or into the text of an error, which are no part of the contract.'

const known: readonly Known[] = [
  { file: 'core/give-way.js', why: pace },
  { file: 'core/calls.js', line: "this.#attempt('read'", original: "'read'", why: tells },
  { file: 'core/trace-call.js', why: tells },
  { file: 'core/diagnostics.js', why: tells },
  {
    file: 'core/operations/read-page.js',
    line: 'const from = last === undefined',
    original: 'max',
    mutated: 'min',
    why: overreads,
  },
  {
    file: 'core/operations/read-page.js',
    line: 'if (last !== undefined)',
    original: 'last !== undefined',
    mutated: 'true',
    why: overreads,
  },
  {
    file: 'backends/memory/memory-backend.js',
    line: 'const shown =',
    original: 'want.maxBytes === undefined',
    mutated: 'true',
    why: 'More summaries are returned at once than were asked for. They are the right ones.',
  },
  {
    file: 'core/session-state.js',
    line: 'state.expiresAt <= now',
    original: '<=',
    mutated: '<',
    why: 'The session lives for the very millisecond in which it expires.',
  },
  {
    file: 'core/operations/add.js',
    line: 'return addAll(',
    original: "'addMessages'",
    mutated: "''",
    why: 'The name of the method in a digest only has to differ from the others.',
  },
  {
    file: 'core/operations/fork.js',
    line: "makeOperation('fork'",
    original: 'to === undefined',
    mutated: 'false',
    why: 'The digest of a fork has one more part, in every fork alike. (It would differ from that of 0.1.)',
  },
  {
    file: 'core/operations/transfer.js',
    line: 'epochs: structuredClone(',
    original: 'epochs.filter(({ number }) => needed.has(number)).sort(byNumber)',
    why: 'The memory backend keeps the epochs in order. Other backends may not.',
  },
  {
    file: 'core/operation.js',
    line: 'const erasedDigest',
    original: "'erased'",
    mutated: "''",
    why: 'Both mark an operation that nobody named.',
  },
  {
    file: 'core/store-runtime.js',
    line: 'this.calls.timeout / 5',
    original: '>',
    mutated: '>=',
    why: 'A call is published as slow one moment earlier.',
  },
  { file: 'core/session-memory.js', line: "this.#runtime.run('verify'", original: "'verify'", why: tells },
  {
    file: 'core/advance.js',
    line: 'own: fill(base.own)',
    original: '...base',
    why: 'How an epoch may be stored in fewer bytes. The memory backend stores it whole.',
  },
  {
    file: 'core/trim-plan.js',
    line: 'let index = assistant - 1',
    original: '1',
    mutated: '0',
    why: 'The search for a user begins one message later, at an assistant.',
  },
  {
    file: 'core/calls.js',
    line: 'backend.sessionsOf === undefined',
    original: 'backend.sessionsOf === undefined',
    why: 'For backends without lists by owner. The memory backend has them.',
  },
  { file: 'core/path.js', line: 'const parts = ranges.map', original: '===', mutated: '!==', why: tells },
  {
    file: 'core/path.js',
    line: 'else if (from > seq)',
    original: 'from > seq',
    mutated: 'true',
    why: 'It looks for the neighbors of a seq that is on no range, so one that does not end below it begins above it.',
  },
  {
    file: 'backends/memory/memory-backend.js',
    line: 'const givenUp =',
    original: '<=',
    mutated: '<',
    why: 'A copy that was given up is counted for the very millisecond in which its hour ends.',
  },
  { file: 'core/calls.js', line: "this.#attempt('drop'", original: "'drop'", why: tells },
  {
    file: 'core/calls.js',
    line: 'const longestTimer',
    original: '1',
    mutated: '2',
    why: 'The longest timeout is shorter by one of 2,147,483,647 ms.',
  },
  {
    file: 'core/path-reader.js',
    line: 'if (alsoKnown.length > 0)',
    original: 'alsoKnown.length > 0',
    mutated: 'true',
    why: 'One more slice, without entries.',
  },
  {
    file: 'core/check-copy.js',
    line: 'entry.seq === last + 1',
    original: '!==',
    mutated: '===',
    why: 'The entries found are noted one by one and not as ranges.',
  },
  {
    file: 'core/tool-links.js',
    line: 'if (isPlain &&',
    original: 'isPlain && !Array.isArray(content) && !Array.isArray(parts)',
    mutated: 'false',
    why: 'A shortcut. The long way finds no links either.',
  },
  {
    file: 'core/trim-plan.js',
    line: 'return -1',
    original: '1',
    mutated: '2',
    why: 'Both numbers are below every index.',
  },
  { file: 'core/operations/read-within.js', line: '#messages = 0', original: '0', mutated: '1', why: overreads },
  {
    file: 'core/operations/read-within.js',
    line: 'if (this.#messages < 2 * planned)',
    original: 'this.#messages < 2 * planned',
    why: overreads,
  },
  {
    file: 'core/operations/sweep.js',
    line: "publish('unswept'",
    original: "publish('unswept', { session, error });",
    why: tells,
  },
  {
    file: 'core/advance.js',
    line: 'committedOf(head, change, 1',
    original: '1',
    mutated: '0',
    why: 'The first seq that an import is remembered with. An import has no entries of its own.',
  },
  {
    file: 'core/turn-queue.js',
    line: 'this.#tails.get(session)',
    original: '===',
    mutated: '!==',
    why: 'A queue that nobody waits in is kept in memory.',
  },
]

/** `null` if it is not known to be equivalent. */
export function whyEquivalent(mutant: Pick<Mutant, 'file' | 'original' | 'mutated' | 'code'>): string | null {
  const found = known.find(
    ({ file, original = mutant.original, mutated = mutant.mutated, line = '' }) =>
      file === mutant.file && original === mutant.original && mutated === mutant.mutated && mutant.code.includes(line),
  )
  return found?.why ?? null
}
