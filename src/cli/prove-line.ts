import type { ProveProgress } from '../conformance/prove.ts'
import { Progress } from './progress.ts'

/** So often the line is drawn anew, so that it names the case that takes long. */
const interval = 100

/** The line on a terminal while a store is proved: how many cases are done, and which one is run for how long. */
export class ProveLine implements Disposable {
  readonly #progress = new Progress('proving')
  readonly #timer: NodeJS.Timeout | undefined
  #now: ProveProgress | null = null
  #since = 0

  constructor() {
    if (process.stderr.isTTY) this.#timer = setInterval(() => this.#draw(), interval).unref()
  }

  show(progress: ProveProgress): void {
    this.#now = progress
    this.#since = performance.now()
    this.#draw()
  }

  #draw(): void {
    if (this.#now === null) return
    const { done, total, failed, level, id } = this.#now
    const seconds = Math.floor((performance.now() - this.#since) / 1000)
    const broken = failed === 0 ? '' : `, ${failed} failed`
    const waiting = seconds < 1 ? '' : ` ${seconds} s`
    this.#progress.show(done, total, `${level} ${done}/${total}${broken}: ${id}${waiting}`)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#progress[Symbol.dispose]()
  }
}
