import { cut } from './text-layout.ts'

/** So often the line is drawn again, in milliseconds. */
const interval = 50

/** One line on stderr that tells how far a command is: only on a terminal, and gone when it ends. */
export class Progress implements Disposable {
  readonly #what: string
  #drawn = 0
  #isShown = false

  constructor(what: string) {
    this.#what = what
  }

  /** `done` of `total`, which may not be known, and beside the bar a few words. */
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
