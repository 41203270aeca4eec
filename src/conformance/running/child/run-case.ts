import { AssertionError } from 'node:assert/strict'
import { after } from '../../../plain/after.ts'
import type { Case } from '../../case.ts'
import { Counterexample } from '../../cases/helpers/counterexample.ts'
import { deadlineOfCase, NotInTime } from '../../cases/helpers/patience.ts'
import type { Failure, FailureKind } from '../../report/failure.ts'
import type { RunOptions } from '../host-protocol.ts'
import { longerThan } from '../longer-deadline.ts'
import { KitError } from './kit-error.ts'
import { Observation, type SeenCall } from './observe.ts'
import { CannotOpen, describeError, openContext, type Place } from './open-context.ts'
import { printDifference } from './print-difference.ts'

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
    throw new Unfinished(options.deadline)
  })
  hung.catch(() => {})
  const failureOf = async (work: Promise<unknown>, doing = ''): Promise<Failure | null> => {
    try {
      await Promise.race([work, hung, stray.seen])
      return null
    } catch (error) {
      return explain(error, observation, doing, options.deadline)
    }
  }
  try {
    const opened = openContext(place, options.seed, observation)
    const failure = await failureOf(
      opened.then(({ context }) => deadlineOfCase.run(options.deadline, () => one.run(context))),
    )
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

class Unfinished extends Error {
  readonly deadline: number

  constructor(deadline: number) {
    super(`did not end within ${deadline / 1000} s`)
    this.deadline = deadline
  }
}

/** Whether anything was still happening when the time was up. */
function explainUnfinished({ deadline, message }: Unfinished, observation: Observation): [FailureKind, string] {
  const { answers, quietFor, waiting } = observation.progress()
  const longest = waiting.toSorted((one, other) => other.since - one.since)[0]
  if (quietFor < deadline / 2 || longest === undefined) {
    return ['slow', `${message}: slow, but ${answers} calls were answered, the last one ${seconds(quietFor)} s before`]
  }
  return [
    'hung',
    `${message}: ${longest.text} has been waiting for ${seconds(longest.since)} s, and no call was answered since`,
  ]
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1)
}

function explain(error: unknown, observation: Observation, doing: string, deadline: number): Failure {
  const concerned = error instanceof AssertionError ? observation.concernedBy(error.actual, error.message) : null
  const session = concerned?.session ?? null
  const fail = (kind: FailureKind, message: string): Failure => ({
    kind,
    message: `${doing}${message}`,
    ...comparisonOf(error),
    program: error instanceof Counterexample ? error.program : null,
    session,
    calls: observation.calls(session),
    suggestedDeadline: error instanceof Unfinished || error instanceof NotInTime ? longerThan(deadline) : null,
    stack: error instanceof Error ? (error.stack ?? null) : null,
  })
  if (error instanceof Unfinished) return fail(...explainUnfinished(error, observation))
  if (error instanceof NotInTime)
    return fail(observation.progress().quietFor < deadline / 4 ? 'slow' : 'hung', error.message)
  if (error instanceof KitError) return fail('kit', error.message)
  if (error instanceof CannotOpen) return fail('cannot open', error.message)
  if (error instanceof AssertionError) return fail('broken', saidBy(error, concerned))
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
  if (isPlainQuestion(error)) return { expected: null, actual: null }
  if (typeof wanted === 'function' || (wanted === undefined && seen === undefined))
    return { expected: null, actual: null }
  return printDifference(wanted, seen)
}

/** `assert.ok`: its message says what was asked, and `true` and `false` say nothing. */
function isPlainQuestion({ operator, expected, generatedMessage }: AssertionError): boolean {
  return operator === '==' && expected === true && !generatedMessage
}

/** What was asked: in the words of the case, or else the call whose answer is wrong. */
function saidBy(error: AssertionError, concerned: SeenCall | null): string {
  const { message, generatedMessage } = error
  if (concerned === null) return firstLine(message)
  if (generatedMessage) return `not what was expected of ${concerned.text}`
  return firstLine(message).replace(/^expected the same(?=$|,)/, `not what was expected of ${concerned.text}`)
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}
