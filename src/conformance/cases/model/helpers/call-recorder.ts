import { inspect } from 'node:util'
import type { FullStore } from '../../../case.ts'

const reads = new Set(['getHistory', 'getEntries', 'listSnapshots', 'recall', 'verify', 'sessionInfo', 'paths'])

/** Writes down what is done to stores, as code that a person can read and run. */
export class CallRecorder {
  readonly lines: string[] = []
  /** What to write instead of an id that only this run knows. */
  readonly #names = new Map<string, string>()
  #handles = 0

  record(store: FullStore): FullStore {
    this.#handles += 1
    const handle = this.#handles === 1 ? 'store' : `store${this.#handles}`
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function' || typeof name === 'symbol') return value
        const method = value as (...parameters: unknown[]) => Promise<unknown>
        if (reads.has(name)) return method.bind(target)
        return async (...parameters: unknown[]) => {
          const call = `await ${handle}.${name}(${parameters.map((one) => this.#print(one)).join(', ')})`
          const line = this.lines.push(call) - 1
          const result = await method.apply(target, parameters)
          this.#nameIds(result, line, call)
          return result
        }
      },
    })
  }

  #nameIds(result: unknown, line: number, call: string): void {
    if (typeof result !== 'object' || result === null) return
    const { id, leftBehind, snapshot } = result as Partial<Record<string, unknown>>
    const ids = { id, leftBehind, 'snapshot.id': (snapshot as { id?: unknown } | null | undefined)?.id }
    for (const [field, value] of Object.entries(ids)) {
      if (typeof value !== 'string') continue
      const name = `${{ id: 'snapshot', leftBehind: 'rollback' }[field] ?? 'rewound'}${line + 1}`
      this.#names.set(value, `${name}.${field}`)
      this.lines[line] = `const ${name} = ${call}`
    }
  }

  #print(value: unknown): string {
    if (typeof value === 'string') return this.#names.get(value) ?? inspect(value)
    if (Array.isArray(value)) return `[${value.map((one) => this.#print(one)).join(', ')}]`
    if (typeof value === 'function') return "() => 'summary'"
    if (typeof value !== 'object' || value === null) return String(value)
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    return `{ ${fields.map(([name, field]) => `${name}: ${this.#print(field)}`).join(', ')} }`
  }
}
