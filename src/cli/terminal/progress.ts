import { cut } from './text-layout.ts'

/** Redraw interval, in milliseconds. */
const interval = 50

/** A progress line on stderr: only on a terminal, and gone at the end. */
export class Progress implements Disposable {
  readonly #what: string
  #drawn = 0
  #isShown = false

  constructor(what: string) {
    this.#what = what
  }

  /** `done` of `total`, which may be unknown, and a few words next to the bar. */
  show(done: number, total: number | null, words: string): void {
    const now = performance.now()
    if (!process.stderr.isTTY || (this.#isShown && now - this.#drawn < interval)) return
    this.#drawn = now
    this.#isShown = true
    const bar = total === null || total === 0 ? '' : ` ${drawBar(done / total)}`
    const line = cut(`${this.#what}${bar} ${words}`, (process.stderr.columns || 80) - 1)
    process.stderr.write(`\r\x1b[2K${line}`)
  }

  [Symbol.dispose](): void {
    if (this.#isShown) process.stderr.write('\r\x1b[2K')
  }
}

function drawBar(share: number): string {
  const size = 20
  const filled = Math.round(Math.min(1, Math.max(0, share)) * size)
  return `[${'#'.repeat(filled)}${'.'.repeat(size - filled)}]`
}
