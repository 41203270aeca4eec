/** A value inside a JSON text, and where the text has it. */
export interface JsonValue {
  readonly path: readonly (string | number)[]
  readonly start: number
  readonly end: number
}

const scalar = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y
const space = /\s*/y

/** Every value inside a JSON text, outer ones first; none if the text is not JSON. */
export function jsonValues(text: string): JsonValue[] {
  try {
    JSON.parse(text)
  } catch {
    return []
  }
  return new Scanner(text).scan()
}

/** Finds the places of values in a text that is known to be JSON. */
class Scanner {
  readonly #text: string
  readonly #values: JsonValue[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  scan(): JsonValue[] {
    this.#value([])
    return this.#values
  }

  #value(path: readonly (string | number)[]): void {
    this.#take(space)
    const start = this.#at
    const index = this.#values.push({ path, start, end: start }) - 1
    const opening = this.#text[start]
    if (opening === '{') this.#items('}', () => this.#member(path))
    else if (opening === '[') this.#items(']', (position) => this.#value([...path, position]))
    else this.#take(scalar)
    this.#values[index] = { path, start, end: this.#at }
  }

  #member(path: readonly (string | number)[]): void {
    this.#take(space)
    const name = JSON.parse(this.#take(scalar)) as string
    this.#take(space)
    this.#at++
    this.#value([...path, name])
  }

  #items(closing: string, item: (position: number) => void): void {
    this.#at++
    this.#take(space)
    for (let position = 0; this.#text[this.#at] !== closing; position++) {
      if (this.#text[this.#at] === ',') this.#at++
      item(position)
      this.#take(space)
    }
    this.#at++
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }
}
