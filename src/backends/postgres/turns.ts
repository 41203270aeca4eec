import { MemoryStoreBackendError } from '../../core/errors.ts'
import { within } from '../../core/within.ts'

/** One after the other for each session: at once they would wait for one another on the server, on a connection each. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  async take<T>(session: string, deadline: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(session)
    let end = () => {}
    const mine = new Promise<void>((resolve) => {
      end = resolve
    })
    const last = before === undefined ? mine : before.then(() => mine)
    this.#last.set(session, last)
    try {
      if (before !== undefined) await within(deadline - performance.now(), before, tooLate)
      return await work()
    } finally {
      end()
      if (this.#last.get(session) === last) this.#last.delete(session)
    }
  }
}

function tooLate(): MemoryStoreBackendError {
  return new MemoryStoreBackendError('TIMEOUT', 'other writes to the session took too long', {
    applied: 'no',
    retryable: true,
  })
}
