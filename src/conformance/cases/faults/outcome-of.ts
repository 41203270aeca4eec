import assert from 'node:assert/strict'
import { after } from '../../after.ts'

/** A call whose deadline is 100 ms and that has not ended after so many is not going to. */
const patience = 8000

export type Outcome = 'done' | 'no' | 'unknown'

/** What a call says of itself: done, not applied, or unknown. Fails if it does not end, or ends without saying. */
export async function outcomeOf(call: Promise<unknown>, about: string): Promise<Outcome> {
  const { promise: late, cancel } = after(patience)
  try {
    return await Promise.race([
      call.then(() => 'done' as const, appliedOf),
      late.then(() => assert.fail(`${about}: the call did not end by its deadline`)),
    ])
  } finally {
    cancel()
  }

  function appliedOf(error: { code?: unknown; applied?: unknown }): 'no' | 'unknown' {
    assert.ok(typeof error?.code === 'string', `${about}: rejected without a code: ${String(error)}`)
    assert.ok(error.applied === 'no' || error.applied === 'unknown', `${about}: ${error.code} does not say what it did`)
    return error.applied
  }
}
