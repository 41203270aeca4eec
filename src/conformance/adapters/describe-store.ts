import { messageOf } from '../../plain/message-of.ts'
import { type Case, levels } from '../case.ts'
import { readClauses } from '../clauses.ts'
import { missingFor } from '../offers.ts'
import { type CaseChoice, chooseCases, typed } from '../prove-options.ts'
import { describeFailure } from '../report/describe-failure.ts'
import { isUnfinished } from '../report/failure.ts'
import { statusOf } from '../report/report.ts'
import type { Description } from '../running/host-protocol.ts'
import { Host } from '../running/parent/host.ts'
import { lookSync } from '../running/parent/look-sync.ts'
import { runFolder } from '../running/parent/run-folder.ts'

/** The part of a test runner that is used. Timeouts are in milliseconds. */
export interface TestRunner {
  describe(name: string, body: () => void): void
  test(name: string, body: () => Promise<void>, timeout: number): void
  skip(name: string): void
  afterAll(body: () => Promise<void>, timeout: number): void
}

export type DescribeOptions = Pick<CaseChoice, 'levels' | 'seed' | 'deadline'>

/** Extra time for a test in addition to its deadline: the process may have to be started, or killed. */
const leeway = 90_000

/** Registers one test for each case, at once: those the store does not offer as skipped, with the reason. */
export function describeStoreWith(runner: TestRunner, module: URL, options: DescribeOptions = {}): void {
  const chosen = chooseCases(options)
  let description: Description
  try {
    description = lookSync(module, chosen.deadline)
  } catch (error) {
    runner.describe(typed(module), () => {
      runner.test('can be proved', () => Promise.reject(withoutStack(messageOf(error))), leeway)
    })
    return
  }
  const { name, methods, capabilities } = description
  const offer = { methods: new Set(methods), capabilities: new Set(capabilities) }
  const bench = new Bench(module, name, chosen)
  runner.describe(name, () => {
    if (chosen.cases.every((one) => missingFor(one, offer).length > 0)) {
      const nothing = 'nothing was proved: the store qualifies for none of these cases'
      runner.test('offers something to prove', () => Promise.reject(withoutStack(nothing)), leeway)
    }
    for (const level of levels) {
      const cases = chosen.cases.filter((one) => one.level === level)
      if (cases.length === 0) continue
      runner.describe(level, () => {
        for (const one of cases) {
          const missing = missingFor(one, offer)
          if (missing.length > 0) runner.skip(`${one.id}: not offered, needs ${missing.join(', ')}`)
          else runner.test(`${one.id}: ${one.title}`, () => bench.run(one), chosen.deadline + leeway)
        }
      })
    }
    runner.afterAll(() => bench.end(), leeway)
  })
}

/** The process that runs the tests of one store, started with the first of them. */
class Bench {
  readonly #module: URL
  readonly #name: string
  readonly #options: { readonly seed: number; readonly deadline: number }
  readonly #sentences = readClauses()
  #started: { readonly host: Host; readonly folder: ReturnType<typeof runFolder> } | null = null

  constructor(module: URL, name: string, { seed, deadline }: { seed: number; deadline: number }) {
    this.#module = module
    this.#name = name
    this.#options = { seed, deadline }
  }

  async run(one: Case): Promise<void> {
    this.#started ??= start(this.#module)
    const { host } = this.#started
    const { failure, milliseconds } = await host.run(one.id, this.#options)
    if (failure === null) return
    const { id, clause, title, level } = one
    const sentence = this.#sentences.get(clause) ?? ''
    const parts = describeFailure(
      { id, clause, title, level, sentence, status: statusOf(failure), milliseconds, missing: [], failure },
      failure,
      { ...this.#options, store: { name: this.#name, target: typed(this.#module), methods: [], capabilities: [] } },
    )
    const told = parts.map(([heading, text]) => `${heading}:\n${indent(text)}`).join('\n')
    throw withoutStack(isUnfinished(failure.kind) ? `not finished, which breaks no clause\n${told}` : told)
  }

  async end(): Promise<void> {
    if (this.#started === null) return
    const { host, folder } = this.#started
    const notes = await host.end()
    folder[Symbol.dispose]()
    for (const note of notes) console.warn(`${this.#name}: ${note}`)
  }
}

function start(module: URL) {
  const folder = runFolder()
  return { host: new Host(module, folder.path), folder }
}

/** The stack inside the kit tells a store's author nothing. */
function withoutStack(message: string): Error {
  const error = new Error(message)
  error.stack = `Error: ${message}`
  return error
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
