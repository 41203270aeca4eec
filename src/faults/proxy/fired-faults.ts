import { EventEmitter, once } from 'node:events'
import type { FiredWireFault } from './wire-fault-plan.ts'

/** What fired so far, and a way to wait for more. */
export class FiredFaults {
  readonly list: FiredWireFault[] = []
  readonly #events = new EventEmitter()
  #isOver = false

  add(fault: FiredWireFault): void {
    this.list.push(fault)
    this.#events.emit('fired')
  }

  async when(count = 1): Promise<FiredWireFault> {
    for (;;) {
      const found = this.list[count - 1]
      if (found !== undefined) return found
      if (this.#isOver) throw new Error(`the proxy was closed after ${this.list.length} faults of ${count} had fired`)
      await once(this.#events, 'fired')
    }
  }

  end(): void {
    this.#isOver = true
    this.#events.emit('fired')
  }
}
