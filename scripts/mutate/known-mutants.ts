import type { Mutant } from './find-mutants.ts'

/** Why mutants of a place change nothing that the contract promises. */
interface Known {
  /** A file, as it is built; default: any. */
  readonly file?: string
  /** What is changed; default: anything in the file. */
  readonly original?: string
  readonly mutated?: string
  /** A part of the line; required unless the whole file is meant. */
  readonly line?: string | RegExp
  readonly why: string
}

const pace = 'It decides how much is read or done before the event loop gets its turn, not what is returned.'
const overreads = 'It only decides how much is read. The page is cut from what was read.'
const tells = 'It goes to a diagnostics channel or into the text of an error, which are no part of the contract.'

const others = 'Only other backends and the bridges use it. Their tests judge it.'
const unused = 'A default that the type checker asks for. It is never used.'
const order = 'The same in another order, which is not promised.'
const frees = 'Memory is freed later. Nothing that is kept so can be seen.'

const never = (file: string, line: string, original = '0'): Known => ({ file, line, original, why: unused })

const known: readonly Known[] = [
  { line: /\bpublish\('(?!lost)/, why: tells },
  { file: 'core/path-reader.js', line: "'entries are out of order'", why: tells },
  { line: "issue?.message ?? 'invalid'", original: "'invalid'", why: unused },
  { file: 'core/seal-entry.js', line: "kind === 'message' && format", why: others },
  { file: 'core/seal-entry.js', line: "!isChecked(entry) || typeof body !== 'string'", why: others },
  { file: 'core/seal-entry.js', line: 'readChecksum(body) ^ mark', why: others },
  { file: 'core/session-state.js', line: 'if (token === null)', why: others },
  { file: 'core/session-state.js', line: ".test(token) ? token : '-'", why: others },
  { file: 'core/recognize-error.js', line: "'SEQ_NOT_FOUND'", why: others },
  { file: 'core/path.js', line: 'splitHead(closed, entries)[0], ...own', why: others },
  { file: 'core/operations/snapshots.js', line: 'difference.entries +', why: others },
  { file: 'core/advance.js', line: 'holdsTurn: () => true', original: 'true', why: unused },
  { file: 'core/automatic-erasure.js', line: /mayOnlyRead/, why: tells },
  {
    file: 'core/automatic-erasure.js',
    line: 'if (isAtWork || this.#isStopped',
    original: '||',
    why: 'What expired more than a day ago is erased once more than needed.',
  },
  {
    file: 'core/automatic-erasure.js',
    line: 'if (!done && !this.#isStopped)',
    mutated: 'true',
    why: 'What expired more than a day ago is erased once more than needed.',
  },
  {
    file: 'core/automatic-erasure.js',
    line: 'await this.#slice',
    original: 'await this.#slice;',
    why: 'Closing does not wait for the erasure of what expired, which is no call of anybody.',
  },
  { file: 'core/embedding-cache.js', line: 'this.#sessions.delete(session)', why: frees },
  { file: 'core/embedding-cache.js', line: 'bytes -= known.bytes', why: frees },
  { file: 'backends/memory/memory-backend.js', line: 'operations.delete(operationId)', why: frees },
  { file: 'backends/memory/memory-backend.js', line: 'this.#erased.delete(id)', why: frees },
  {
    file: 'backends/memory/memory-backend.js',
    line: 'this.#turns.delete(id);',
    original: 'this.#turns.delete(id);',
    why: frees,
  },
  {
    file: 'backends/memory/memory-backend.js',
    line: /^this\.#(sessions|owners|staged|erased|turns)\.clear\(\);$/,
    why: frees,
  },
  { file: 'backends/memory/owner-index.js', line: 'this.#ids.clear()', why: frees },
  { file: 'core/store-on.js', line: 'await backend.close()', why: frees },
  { file: 'core/turns.js', line: /removeEventListener/, why: frees },
  { file: 'core/turns.js', line: 'const longestNow', original: '0.5', why: pace },
  { file: 'core/turns.js', line: 'const longestPause', why: pace },
  {
    file: 'core/turns.js',
    line: /^pass\(\);$/,
    why: 'For a signal that aborts between two steps of the same turn of the event loop.',
  },
  { file: 'core/held-turn.js', line: 'this.#lease.milliseconds / 3', original: '3', mutated: '0', why: pace },
  { file: 'core/calls.js', line: "if (method !== 'commit')", why: pace },
  {
    file: 'core/calls.js',
    line: "if (reason === undefined || error.code !== 'TIMEOUT'",
    why: 'Which of several failures of one call is told. What was applied is told truly in any case.',
  },
  {
    file: 'core/calls.js',
    line: "!isBackendError(error) || error.applied === 'no'",
    original: "'no'",
    why: 'An error that says so already is made again, with the same code.',
  },
  { file: 'core/deadlines.js', line: 'const longestTimer', why: 'For timeouts of more than 24 days.' },
  { file: 'core/deadlines.js', line: 'Math.min(Math.max(0, deadline', original: 'max', why: pace },
  {
    file: 'core/check-copy.js',
    line: 'entry.seq === last + 1',
    original: '1',
    why: 'The entries found are noted one by one and not as ranges.',
  },
  { file: 'core/inspect-session.js', line: 'damage.push(', original: 'push', why: order },
  { file: 'core/tool-links.js', line: 'this.answers.push(id)', original: 'push', why: order },
  {
    file: 'core/seal-entry.js',
    line: 'const pairs',
    original: '256',
    mutated: '257',
    why: 'One more that is never used.',
  },
  { file: 'core/split-ahead.js', line: 'broken === -1', original: 'broken === -1', mutated: 'false', why: overreads },
  {
    file: 'core/operations/read-page.js',
    line: /^\.\.\.\((before|after) !== undefined/,
    original: '&&',
    why: overreads,
  },
  { file: 'core/trim-plan.js', line: 'if (call === undefined || (byId', original: '&&', why: overreads },
  {
    file: 'core/operations/rewind.js',
    line: 'log ??= state?.log',
    why: 'For rewinds that 0.1 remembered, which no memory backend holds.',
  },
  {
    file: 'core/operations/compact.js',
    line: 'place >= lead && place < before',
    original: '<',
    mutated: '<=',
    why: 'At that place is the first message that is kept, and it is among neither.',
  },
  {
    file: 'core/operation.js',
    line: "digest !== '' && digest !== erasedDigest",
    original: '&&',
    why: 'Nobody but the store knows the ids of such operations.',
  },
  {
    file: 'core/operation.js',
    line: 'this.#hash = this.given',
    mutated: 'true',
    why: 'A digest of an operation that nobody can name again.',
  },
  { file: 'core/operations/transfer.js', line: 'if (maker.given)', mutated: 'true', why: 'A digest that is not used.' },
  { file: 'core/operations/verify.js', line: 'let read = 0', why: 'It is set again before it is read.' },
  {
    file: 'core/operations/sweep.js',
    line: 'onProgress?.(',
    original: 'onProgress?.({ sessions, entries: swept.entries });',
    why: 'Progress is told once more after each session, and at the end.',
  },
  { file: 'core/session-memory.js', line: /this\.#runtime\.\w+\('/, original: '[this.id]', why: tells },
  { file: 'core/path.js', line: 'const leastRangesOnBase', why: others },
  {
    file: 'core/seal-entry.js',
    line: 'new Map(Object.keys(kinds).map(',
    original: '[kind, seedOf(kind, format)]',
    why: 'What was computed before is computed again.',
  },
  {
    file: 'core/operations/paths.js',
    line: 'return [...epochs]',
    mutated: '[...epochs]',
    why: 'The memory backend keeps the epochs in order. Other backends may not.',
  },
  { file: 'core/copied-seqs.js', line: 'mapped.push(', original: 'push', why: 'They are sorted afterwards.' },
  { file: 'core/embedding-cache.js', line: 'bytes += known.bytes', why: frees },
  { file: 'core/operations/staged-copy.js', line: 'this.#bytes += size', why: pace },
  {
    file: 'core/operations/sessions.js',
    line: 'if (!isLost(error))',
    mutated: 'false',
    why: 'The error is thrown in the end instead of at once.',
  },
  { file: 'core/trim-plan.js', line: 'if (call === undefined || (byId', mutated: 'true', why: overreads },
  { file: 'core/deadlines.js', line: 'waiting.deadline <= now', original: '<=', mutated: '<', why: pace },
  { file: 'core/calls.js', line: "this.#attempt('renewTurn'", original: "'unknown'", why: tells },
  { file: 'core/operations/read-within.js', line: '[...standIns.keys()].sort', why: 'They come in this order.' },
  {
    file: 'core/encode-entry.js',
    line: "return role === undefined || typeof role === 'string'",
    original: '||',
    why: 'A shortcut. The schema accepts the same messages.',
  },
  { file: 'core/held-turn.js', line: 'clearTimeout(this.#end)', why: frees },
  { file: 'core/memory-store.js', line: 'this.#runtime.embeddings.clear()', why: frees },
  { file: 'core/errors.js', line: 'text.length > 80', why: tells },
  { file: 'core/errors.js', line: 'const seqs = [nearest.below', why: tells },
  { line: "issue?.message ?? 'invalid'", original: '??', why: tells },
  { file: 'core/operations/recall.js', line: 'index % comparisonsPerTurn === 0', why: pace },
  {
    file: 'core/operations/trim.js',
    line: 'if (changed)',
    mutated: 'false',
    why: 'What a trim no longer reads is left to a sweep.',
  },
  {
    file: 'core/operations/rewind.js',
    line: 'if (isSnapshotNotFound(error))',
    mutated: 'true',
    why: 'A failure to remove what it kept for a moment is not published. Other failures do not occur there.',
  },
  {
    file: 'core/operation.js',
    line: 'export const importAnswer',
    why: 'The mark of an import only has to differ from what others answer.',
  },
  { file: 'core/operations/sessions.js', line: 'listed.damaged.push(id)', original: 'push', why: order },
  { file: 'core/slice.js', line: 'let bytes = 0', original: '0', why: 'A slice ends a byte earlier.' },
  {
    file: 'core/encode-entry.js',
    line: "if (typeof data !== 'object' || data === null",
    original: '||',
    why: 'What is no object was refused before.',
  },
  {
    file: 'core/seal-entry.js',
    line: '?? seedOf(kind, format)',
    original: '??',
    why: 'What was computed before is computed again.',
  },
  {
    file: 'core/turns.js',
    line: /^const defaults = /,
    why: 'Who names no time waits for a millisecond more.',
  },
  {
    file: 'core/path.js',
    line: 'of [...kept].sort(',
    original: '0',
    why: 'The ranges are in order already, or do not overlap.',
  },
  {
    file: 'core/carry-value.js',
    line: 'carrier.place.slice(0, 8)',
    why: 'How much is told of a place that is thousands of steps deep.',
  },
  { file: 'core/operations/read-within.js', line: 'reader.slices(reader.ranges, { size: 8 })', why: overreads },
  never('backends/memory/memory-backend.js', 'seq <= (lastShown ?? 0)'),
  never('backends/memory/memory-backend.js', 'entries.size ?? 0'),
  never('backends/memory/memory-backend.js', 'a < b ? -1 : a > b ? 1 : 0'),
  never('core/advance.js', 'before?.end ?? 0'),
  never('core/copied-seqs.js', '?.to ?? 0'),
  never('core/operations/change-path.js', "JSON.parse(answer ?? 'null')", "'null'"),
  never('core/operations/change-path.js', "JSON.parse(kept ?? 'null')", "'null'"),
  never('core/operations/trim.js', 'reader.state?.end ?? 0'),
  never('core/owner-page.js', 'updatedAt ?? 0'),
  never('core/path-reader.js', 'summarySeqs.at(-1) ?? 0'),
  never('core/path.js', 'seqs[middle] ?? 0'),
  never('core/reading.js', 'last ?? 0'),
  never('core/trim-plan.js', '?? 0'),
  never('core/turns.js', 'freeIn ?? 0'),
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
    ({ file = mutant.file, original = mutant.original, mutated = mutant.mutated, line = '' }) =>
      file === mutant.file &&
      original === mutant.original &&
      mutated === mutant.mutated &&
      (typeof line === 'string' ? mutant.code.includes(line) : line.test(mutant.code)),
  )
  return found?.why ?? null
}
