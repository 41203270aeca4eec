import { randomInt } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '../plain/shell-word.ts'
import { type Case, defaultDeadline, type Level, levels } from './case.ts'
import { allCases } from './cases/all-cases.ts'

/** Which cases are run, and how. */
export interface CaseChoice {
  /** Default: all. */
  readonly levels?: readonly Level[] | undefined
  /** Ids of cases or of clauses; default: all. */
  readonly cases?: readonly string[] | undefined
  /** Seed for everything random. Default: a new one each time. */
  readonly seed?: number | undefined
  /** Milliseconds for each case; default 20,000. */
  readonly deadline?: number | undefined
}

export interface ChosenCases {
  readonly cases: readonly Case[]
  readonly seed: number
  readonly deadline: number
}

/** Throws a `RangeError` for unknown levels, cases and clauses. */
export function chooseCases(choice: CaseChoice): ChosenCases {
  const { seed = randomInt(2 ** 31), deadline = defaultDeadline } = choice
  for (const level of choice.levels ?? []) {
    if (!levels.includes(level)) throw new RangeError(`there is no level "${level}", only ${levels.join(', ')}`)
  }
  for (const name of choice.cases ?? []) {
    if (!allCases.some((one) => isNamed(one, name))) throw new RangeError(`there is no case and no clause "${name}"`)
  }
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError('seed: expected a whole number')
  if (!(deadline > 0) || deadline > 2 ** 30) throw new RangeError('deadline: expected milliseconds')
  const cases = allCases.filter(
    (one) => (choice.levels?.includes(one.level) ?? true) && (choice.cases?.some((name) => isNamed(one, name)) ?? true),
  )
  return { cases, seed, deadline }
}

function isNamed({ id, clause }: Case, name: string): boolean {
  return id === name || clause === name
}

/** The relative path of a module, as one would type it. */
export function typed(module: URL): string {
  if (module.protocol !== 'file:') return module.href
  const path = relative(process.cwd(), fileURLToPath(module.href)).replaceAll('\\', '/')
  return shellWord(path.startsWith('.') ? path : `./${path}`)
}
