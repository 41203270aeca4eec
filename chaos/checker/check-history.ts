import { isDeepStrictEqual } from 'node:util'
import { checkSession } from './check-session.ts'
import type { CheckOptions, Life } from './checking.ts'
import { type Operation, placeOf, resultOf, type Violation } from './history.ts'

/** Checks a history of any number of sessions: one order of commits each that explains every result and agrees with real time. */
export function checkHistory(operations: readonly Operation[], options: CheckOptions = {}): Violation[] {
  const bySession = new Map<string, Operation[]>()
  for (const operation of operations) {
    const own = bySession.get(operation.session) ?? []
    bySession.set(operation.session, own)
    own.push(operation)
  }
  const lives = new Map<string, readonly Life[]>()
  const violations = [...bySession].flatMap(([session, own]) => {
    const checked = checkSession(session, own, options)
    lives.set(session, checked.lives)
    return checked.violations
  })
  return [...violations, ...checkCopies(operations, bySession, lives)]
}

/** A fork holds what its source held at the version that it asked for, an import what it held at the version that it has. */
function checkCopies(
  operations: readonly Operation[],
  bySession: ReadonlyMap<string, readonly Operation[]>,
  lives: ReadonlyMap<string, readonly Life[]>,
): Violation[] {
  return operations.flatMap((fork) => {
    const { call, session } = fork
    const result = resultOf(fork)
    if (!(call.method === 'fork' || call.method === 'import') || result === null) return []
    const version = call.method === 'fork' ? call.ifVersion : (result.version ?? '')
    const { birth, counter } = placeOf(version)
    const source = lives.get(session)?.find((life) => life.birth === birth)?.states[counter]
    if (source === undefined || source.version !== version) return []
    const expected = source.path.map((seq) => source.log.get(seq)?.text)
    return (bySession.get(call.target) ?? []).flatMap((read) => {
      const items = read.call.method === 'read' ? resultOf(read)?.items : undefined
      const isSame =
        items === undefined ||
        isDeepStrictEqual(
          items.map(({ text }) => text),
          expected,
        )
      if (isSame) return []
      const message = `it holds ${items.length} entries, and its source held ${expected.length} others`
      return [{ rule: 'a copy is whole', session, operations: [fork.id, read.id], message, needsWrites: true }]
    })
  })
}
