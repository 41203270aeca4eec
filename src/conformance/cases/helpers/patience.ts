import { AsyncLocalStorage } from 'node:async_hooks'
import { after } from '../../../plain/after.ts'
import { defaultDeadline } from '../../case.ts'

/** The deadline of the case that is being run, in milliseconds. */
export const deadlineOfCase = new AsyncLocalStorage<number>()

/** Something did not happen in time. With a longer deadline it may, so this says nothing about the clause. */
export class NotInTime extends Error {
  override name = 'NotInTime'
}

/** The time that there is for a whole case. */
export function wholeDeadline(): number {
  return deadlineOfCase.getStore() ?? defaultDeadline
}

/** How long a case waits for one thing, so that it can still say what it waited for. */
export function patience(): number {
  return wholeDeadline() * 0.4
}

/** What `work` resolves to. Throws `NotInTime` with the message if it takes longer than a case has patience. */
export async function inTime<T>(work: Promise<T>, message: string): Promise<T> {
  const { promise: late, cancel } = after(patience())
  try {
    return await Promise.race([
      work,
      late.then(() => {
        throw new NotInTime(message)
      }),
    ])
  } finally {
    cancel()
  }
}
