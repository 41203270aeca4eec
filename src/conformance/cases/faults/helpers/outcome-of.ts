import assert from 'node:assert/strict'
import { inTime } from '../../helpers/patience.ts'

export type Outcome = 'done' | 'no' | 'unknown'

/** The reported outcome of a call: done, not applied, or unknown. Fails if it does not end, or reports nothing. */
export async function outcomeOf(call: Promise<unknown>, about: string): Promise<Outcome> {
  const failure = (await failureOf(call, about)) as { code?: unknown; applied?: unknown } | null
  if (failure === null) return 'done'
  assert.ok(typeof failure.code === 'string', `${about}: rejected without a code: ${String(failure)}`)
  const { code, applied } = failure
  assert.ok(applied === 'no' || applied === 'unknown', `${about}: ${code} does not say what it did`)
  return applied
}

/** What a call rejects with, `null` if it resolves. Fails if it does not end. */
export function failureOf(call: Promise<unknown>, about: string): Promise<object | null> {
  const failure = call.then(
    () => null,
    (error: unknown) => Object(error) as object,
  )
  return inTime(failure, `${about}: the call did not end by its deadline`)
}
