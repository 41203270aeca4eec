import type { Mutant } from './find-mutants.ts'

/** Why mutants of a place change nothing that the contract promises. */
interface Known {
  /** A file, as it is built. */
  readonly file: string
  /** What is changed; default: anything in the file. */
  readonly original?: string
  readonly mutated?: string
  readonly why: string
}

const pace = 'It decides how much is read or done before the event loop gets its turn, not what is returned.'
const overreads = 'It only decides how much is read. The page is cut from what was read.'
const tells = 'It goes to a diagnostics channel or into the text of an error, which are no part of the contract.'

const known: readonly Known[] = [
  { file: 'core/give-way.js', why: pace },
  { file: 'core/trace-call.js', why: tells },
  { file: 'core/diagnostics.js', why: tells },
  { file: 'core/operations/read-page.js', original: 'max', mutated: 'min', why: overreads },
  { file: 'core/operations/read-page.js', original: 'last !== undefined', mutated: 'true', why: overreads },
  {
    file: 'backends/memory/memory-backend.js',
    original: 'want.maxBytes === undefined',
    mutated: 'true',
    why: 'More summaries are returned at once than were asked for. They are the right ones.',
  },
  {
    file: 'core/session-state.js',
    original: '<=',
    mutated: '<',
    why: 'The session lives for the very millisecond in which it expires.',
  },
  {
    file: 'core/operations/add.js',
    original: "'addMessages'",
    mutated: "''",
    why: 'The name of the method in a digest only has to differ from the others.',
  },
  {
    file: 'core/operations/fork.js',
    original: 'to === undefined',
    mutated: 'false',
    why: 'The digest of a fork has one more part, in every fork alike. (It would differ from that of 0.1.)',
  },
  {
    file: 'core/operations/transfer.js',
    original: 'epochs.filter(({ number }) => needed.has(number)).sort(byNumber)',
    why: 'The memory backend keeps the epochs in order. Other backends may not.',
  },
  {
    file: 'core/operation.js',
    original: "'erased'",
    mutated: "''",
    why: 'Both mark an operation that nobody named.',
  },
  {
    file: 'core/store-runtime.js',
    original: '>',
    mutated: '>=',
    why: 'A call is published as slow one moment earlier.',
  },
  { file: 'core/session-memory.js', original: "'verify'", why: tells },
  {
    file: 'core/advance.js',
    original: '...base',
    why: 'How an epoch may be stored in fewer bytes. The memory backend stores it whole.',
  },
  {
    file: 'core/trim-plan.js',
    original: '1',
    mutated: '0',
    why: 'The search for a user begins one message later, at an assistant.',
  },
  {
    file: 'core/calls.js',
    original: 'backend.sessionsOf === undefined',
    why: 'For backends without lists by owner. The memory backend has them.',
  },
]

/** `null` if it is not known to be equivalent. */
export function whyEquivalent(mutant: Pick<Mutant, 'file' | 'original' | 'mutated'>): string | null {
  const found = known.find(
    ({ file, original = mutant.original, mutated = mutant.mutated }) =>
      file === mutant.file && original === mutant.original && mutated === mutant.mutated,
  )
  return found?.why ?? null
}
