import { AssertionError } from 'node:assert/strict'
import { after } from './after.ts'
import type { Case } from './case.ts'
import { Counterexample } from './counterexample.ts'
import { KitError } from './kit-error.ts'
import { Observation } from './observe.ts'
import { CannotOpen, describeError, openContext, type Place } from './open-context.ts'
import { printDifference } from './print-difference.ts'

/**
 * Whose fault it is: `broken`, the clause does not hold; `hung`, the case did not end within its deadline; `died`, its process ended;
 * `cannot open`, the store gave no handle; `kit`, ours and not the store's.
 */
export type FailureKind = 'broken' | 'hung' | 'died' | 'cannot open' | 'kit'

export interface Failure {
  readonly kind: FailureKind
  /** What went wrong, in a sentence. */
  readonly message: string
  /** What was expected and what was seen, printed; `null` where the message says it all. */
  readonly expected: string | null
  readonly actual: string | null
  /** For a random program: the shortest that fails, as code. */
  readonly program: string | null
  /** The newest calls that the case made. */
  readonly calls: readonly string[]
  readonly stack: string | null
}

export interface RunOptions {
  readonly seed: number
  /** A case that takes longer, in milliseconds, is a case that hangs. */
  readonly deadline: number
}

/** Runs one case on a store. Resolves to `null` if the clause holds; never rejects. */
export async function runCase(
  one: Case,
  place: Place,
  options: RunOptions,
  observation = new Observation(),
): Promise<Failure | null> {
  const stray = watchForStrayErrors()
  const { promise: deadline, cancel } = after(options.deadline)
  const hung = deadline.then(() => {
    throw new Hung(`did not end within ${options.deadline / 1000} s`)
  })
  hung.catch(() => {})
  const failureOf = async (work: Promise<unknown>, doing = ''): Promise<Failure | null> => {
    try {
      await Promise.race([work, hung, stray.seen])
      return null
    } catch (error) {
      return explain(error, observation, doing)
    }
  }
  try {
    const opened = openContext(place, options.seed, observation)
    const failure = await failureOf(opened.then(({ context }) => one.run(context)))
    const left = await failureOf(
      opened.then(
        ({ cleanUp }) => cleanUp(),
        () => {},
      ),
      'closing and destroying the store: ',
    )
    return failure ?? left
  } finally {
    cancel()
    stray.stop()
  }
}

class Hung extends Error {}

function explain(error: unknown, observation: Observation, doing: string): Failure {
  const fail = (kind: FailureKind, message: string): Failure => ({
    kind,
    message: `${doing}${message}`,
    ...comparisonOf(error),
    program: error instanceof Counterexample ? error.program : null,
    calls: [...observation.calls],
    stack: error instanceof Error ? (error.stack ?? null) : null,
  })
  if (error instanceof Hung) return fail('hung', error.message)
  if (error instanceof KitError) return fail('kit', error.message)
  if (error instanceof CannotOpen) return fail('cannot open', error.message)
  if (error instanceof AssertionError) return fail('broken', firstLine(error.message))
  if (doing !== '') return fail('broken', describeError(error))
  const fromStore = typeof error === 'object' && error !== null && observation.errors.has(error)
  const prefix = fromStore ? 'a call that must succeed was rejected with' : 'what the store returned could not be read:'
  return fail('broken', `${prefix} ${describeError(error)}`)
}

/** Rejects with an error inside the store that nobody handled while the case ran. */
function watchForStrayErrors(): { seen: Promise<never>; stop: () => void } {
  let stop = () => {}
  const seen = new Promise<never>((_, reject) => {
    const listener = (error: unknown) => {
      const isOfTheCase = error instanceof AssertionError || Observation.hasTold(error)
      if (isOfTheCase) return
      reject(new AssertionError({ message: `an error was left unhandled: ${describeError(error)}` }))
    }
    process.on('unhandledRejection', listener)
    stop = () => void process.off('unhandledRejection', listener)
  })
  seen.catch(() => {})
  return { seen, stop }
}

function comparisonOf(error: unknown): { expected: string | null; actual: string | null } {
  if (!(error instanceof AssertionError) || !('expected' in error) || error.operator === undefined)
    return { expected: null, actual: null }
  const { expected: wanted, actual: seen } = error as { expected: unknown; actual: unknown }
  if (typeof wanted === 'function' || (wanted === undefined && seen === undefined))
    return { expected: null, actual: null }
  return printDifference(wanted, seen)
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}
