import { createInterface, type Interface } from 'node:readline'

/** Asks on stderr, one question after the other, and takes the first letter of each line. */
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

  /** One of the letters; the last of them at the end of the input. Asks again until it is one. */
  async choose<Letter extends string>(question: string, letters: readonly [Letter, ...Letter[]]): Promise<Letter> {
    for (;;) {
      process.stderr.write(`${question} `)
      const { value, done } = await this.#answers.next()
      this.#signal.throwIfAborted()
      if (done === true) return letters.at(-1) ?? letters[0]
      const chosen = letters.find((letter) => letter === value.trim().toLowerCase()[0])
      if (chosen !== undefined) return chosen
      process.stderr.write(`That is none of the keys: type ${showLetters(letters)}, and Enter.\n`)
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
