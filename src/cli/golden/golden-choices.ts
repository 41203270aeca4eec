import { createInterface, type Interface } from 'node:readline'

/** Asks on stderr, one question at a time, and takes the first letter of each line. */
export class Choices implements Disposable {
  readonly #lines: Interface
  readonly #answers: AsyncIterator<string>
  readonly #stop: () => void
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#lines = createInterface({ input: process.stdin, terminal: false })
    this.#answers = this.#lines[Symbol.asyncIterator]()
    this.#stop = () => this.#lines.close()
    this.#signal = signal
    signal.addEventListener('abort', this.#stop)
  }

  /** One of the letters, or the last one at the end of the input. Repeats the question until the answer is valid. */
  async choose<Letter extends string>(question: string, letters: readonly [Letter, ...Letter[]]): Promise<Letter> {
    for (;;) {
      process.stderr.write(`${question} `)
      const { value, done } = await this.#answers.next()
      this.#signal.throwIfAborted()
      if (done === true) return letters.at(-1) ?? letters[0]
      const chosen = letters.find((letter) => letter === value.trim().toLowerCase()[0])
      if (chosen !== undefined) return chosen
      process.stderr.write(`Invalid key: type ${showLetters(letters)}, then Enter.\n`)
    }
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener('abort', this.#stop)
    this.#lines.close()
    process.stdin.destroy()
  }
}

function showLetters(letters: readonly string[]): string {
  return `${letters.slice(0, -1).join(', ')} or ${letters.at(-1)}`
}
