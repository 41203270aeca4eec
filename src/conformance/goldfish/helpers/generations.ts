import type { Bowl } from '../goldfish.ts'

/** Renames operations once `forget` was called for the session. */
export function generations({ shared }: Bowl) {
  const of = (session: string) => Number(shared.get(session) ?? 0)
  return {
    forget: (session: string) => void shared.set(session, of(session) + 1),
    nameOf: (session: string, operationId: string | undefined) =>
      operationId === undefined || of(session) === 0 ? operationId : `${operationId} #${of(session)}`,
  }
}
