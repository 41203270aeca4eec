import type { ProveProgress } from '../../conformance/prove.ts'
import type { CaseReport } from '../../conformance/report/report.ts'
import type { ProveView, ProveWatch } from './prove-watch.ts'

/** A case running longer than this is named, and again each time the duration doubles. In milliseconds. */
const firstNamed = 5000

/** The lines about a proof without a terminal: one per finished case, and one now and then for a slow one. */
export class ProveLog implements ProveView {
  readonly #watch: ProveWatch
  readonly #write: (line: string) => Promise<void>
  #timer: NodeJS.Timeout | undefined
  hasLines = false

  constructor(watch: ProveWatch, write: (line: string) => Promise<void>) {
    this.#watch = watch
    this.#write = write
    this.#nameIn(firstNamed)
  }

  begin({ id }: ProveProgress): void {
    this.#watch.begin(id)
    this.#nameIn(firstNamed)
  }

  async end({ id, failure, milliseconds }: CaseReport): Promise<void> {
    this.#watch.end()
    this.#nameIn(firstNamed)
    await this.#tell(`${wordFor(failure?.kind)}  ${id}  ${(milliseconds / 1000).toFixed(1)} s`)
  }

  async #tell(line: string): Promise<void> {
    this.hasLines = true
    await this.#write(line)
  }

  #nameIn(wait: number, waited = 0): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // A closed reader is noticed at the end of the case.
      this.#tell(`still running: ${this.#watch}`).catch(() => {})
      this.#nameIn(waited + wait, waited + wait)
    }, wait)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}

function wordFor(kind: string | undefined): string {
  if (kind === 'slow' || kind === 'hung') return `not finished (${kind})`
  return (kind === 'kit' ? 'the kit failed' : (kind ?? 'passed')).padEnd('passed'.length)
}
