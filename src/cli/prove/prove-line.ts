import type { ProveProgress } from '../../conformance/prove.ts'
import { Progress } from '../terminal/progress.ts'
import type { ProveView, ProveWatch } from './prove-watch.ts'

/** Redraw interval, so that the line names a slow case. */
const interval = 100

/** The terminal line while a store is proved: how many cases are done, which one is running and for how long. */
export class ProveLine implements ProveView {
  readonly #watch: ProveWatch
  readonly #progress = new Progress('proving')
  readonly #timer: NodeJS.Timeout
  #now: ProveProgress | null = null

  constructor(watch: ProveWatch) {
    this.#watch = watch
    this.#timer = setInterval(() => this.#draw(), interval).unref()
  }

  begin(progress: ProveProgress): void {
    this.#watch.begin(progress.id)
    this.#now = progress
    this.#draw()
  }

  end(): void {
    this.#watch.end()
  }

  #draw(): void {
    const { seconds, what } = this.#watch
    const waiting = seconds < 1 ? '' : ` ${seconds} s`
    if (this.#now === null) {
      this.#progress.show(0, null, `${what}${waiting}`)
      return
    }
    const { done, total, failed, level } = this.#now
    const broken = failed === 0 ? '' : `, ${failed} failed`
    this.#progress.show(done, total, `${level} ${done}/${total}${broken}: ${what}${waiting}`)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#progress[Symbol.dispose]()
  }
}
