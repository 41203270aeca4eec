import { styleText } from 'node:util'
import type { Entry } from 'unforget'
import type { Check } from './checks.ts'
import { showEntries } from './show-entries.ts'

type Style = 'bold' | 'dim' | 'green' | 'red'

/** Tells the story on the terminal, and keeps count of the checks. */
export class Narrator {
  readonly #print: (text: string) => void
  readonly #colors: boolean
  #held = 0
  #failed = 0

  constructor(print: (text: string) => void, colors: boolean) {
    this.#print = print
    this.#colors = colors
  }

  say(text: string): void {
    this.#print(text)
  }

  step(name: string, pid: number, what: string): void {
    this.#print(`\n${this.#paint('bold', `process ${name} (pid ${pid})`)} ${what}`)
  }

  history(title: string, entries: readonly Entry[]): void {
    this.list(`${title}, ${entries.length} entries:`, showEntries(entries))
  }

  /** The two ends of a history. */
  glimpse(title: string, entries: readonly Entry[]): void {
    this.list(`${title}, ${entries.length} entries:`, showEntries(entries, 2))
  }

  list(title: string, lines: readonly string[]): void {
    this.#print(this.#paint('dim', [`  ${title}`, ...lines.map((line) => `    ${line}`)].join('\n')))
  }

  check({ claim, held, expected, seen }: Check): void {
    if (held) {
      this.#held += 1
      this.#print(`  ${this.#paint('green', 'ok')} ${claim}`)
    } else {
      this.#failed += 1
      this.#print(`  ${this.#paint('red', 'FAILED')} ${claim}\n    expected: ${expected}\n    seen:     ${seen}`)
    }
  }

  /** Says how it ended; returns the exit code. */
  end(file: string): number {
    const total = this.#held + this.#failed
    const verdict =
      this.#failed === 0
        ? this.#paint('green', `All ${total} checks held.`)
        : this.#paint('red', `${this.#failed} of ${total} checks failed.`)
    this.#print(`\n${verdict} The memory stays in ${file}`)
    return this.#failed === 0 ? 0 : 1
  }

  #paint(style: Style, text: string): string {
    return this.#colors ? styleText(style, text) : text
  }
}
