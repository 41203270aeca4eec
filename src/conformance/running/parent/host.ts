import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../plain/message-of.ts'
import { CannotProve } from '../../cannot-prove.ts'
import { type Failure, type FailureKind, isUnfinished, nothingKnown } from '../../report/failure.ts'
import {
  type Description,
  type HostRequest,
  lastCallsFile,
  type RunOptions,
  type RunRequest,
} from '../host-protocol.ts'
import { longerThan } from '../longer-deadline.ts'
import { HostChild, type Outcome } from './host-child.ts'
import { nameResources } from './name-resources.ts'
import { shortenFailure } from './shorten-failure.ts'

/** The outcome of a case, and how long it took. */
export interface Ran {
  readonly failure: Failure | null
  readonly milliseconds: number
}

/** Time for a process to start, in milliseconds. */
const startsWithin = 60_000
/** Time to load the module of the store, in addition to the deadline of a case, in milliseconds. */
const loadsWithin = 5000
/** How long after its deadline a case is stopped from outside, because its process no longer reacts. */
const grace = 2000
/** Time for a process with nothing left to do to end, in milliseconds. */
const endsWithin = 5000
/** Time for the diagnosis before the first case, in milliseconds. A store that hangs is left to the cases, which are reported as they end. */
const longestDiagnosis = 5000
/** Maximum number of unhandled errors reported. */
const straysTold = 5

/**
 * Runs cases one at a time in a separate process, and starts a new one if that process hangs or dies. The folder is for the locations;
 * its creator removes it after `end` or `kill`.
 */
export class Host {
  readonly #module: URL
  readonly #folder: string
  readonly #notes = new Set<string>()
  #child: HostChild | null = null
  #isKilled = false
  #turn: Promise<unknown> = Promise.resolve()
  #before = ''

  constructor(module: URL, folder: string) {
    this.#module = module
    this.#folder = folder
  }

  /** Opens the store once, to see what it offers. Rejects with `CannotProve`. */
  async look(deadline: number): Promise<Description> {
    const child = await this.#start()
    const within = deadline + loadsWithin
    const outcome = await this.#load(child, { kind: 'look' }, within)
    if (outcome.kind === 'answered' && outcome.answer.kind === 'looked') return outcome.answer.description
    await this.#drop()
    const slow = outcome.kind === 'late' ? `; if it is only slow, try --deadline ${longerThan(deadline) / 1000}` : ''
    throw new CannotProve('store', `the store could not be opened: ${tell(outcome, within)}${slow}`)
  }

  /**
   * Why most cases would fail for one reason, in a sentence; `null` if no such reason was found within a few seconds. A store that hangs or ends its
   * process meanwhile is left to the cases.
   */
  async diagnose(deadline: number): Promise<string | null> {
    const child = await this.#running(deadline)
    const outcome = await child.ask({ kind: 'diagnose' }, Math.min(deadline, longestDiagnosis))
    if (outcome.kind === 'answered' && outcome.answer.kind === 'diagnosed') return outcome.answer.problem
    this.#child = null
    await child.kill()
    return null
  }

  /** Never rejects: if the kit fails, the failure says so. Concurrent calls wait for each other. */
  run(id: string, options: RunOptions): Promise<Ran> {
    const ran = this.#turn.then(() => this.#run(id, options))
    this.#turn = ran
    return ran
  }

  async #run(id: string, options: RunOptions): Promise<Ran> {
    const begun = performance.now()
    const end = (kind: FailureKind, message: string, details: Partial<Failure> = {}): Ran => ({
      failure: { ...nothingKnown, kind, message, ...details },
      milliseconds: performance.now() - begun,
    })
    let child: HostChild
    try {
      child = await this.#running(options.deadline)
    } catch (error) {
      const isOfTheStore = error instanceof CannotProve && error.fault === 'store'
      return end(isOfTheStore ? 'cannot open' : 'kit', messageOf(error))
    }
    this.#before = id
    const request: RunRequest = { kind: 'run', id, ...options }
    const outcome = await child.ask(request, options.deadline + grace)
    if (outcome.kind === 'answered' && outcome.answer.kind === 'ran') {
      if (outcome.answer.failure && isUnfinished(outcome.answer.failure.kind)) await this.#drop()
      const { failure, milliseconds } = outcome.answer
      return { failure: failure && shortenFailure(failure), milliseconds }
    }
    await this.#drop()
    if (outcome.kind === 'ended') {
      const stack = outcome.complaint === '' ? null : outcome.complaint
      return end('died', tell(outcome, options.deadline), { stack, calls: this.#takeLastCalls() })
    }
    return end(
      'hung',
      `${tell(outcome, options.deadline)}, and its process no longer reacted: a call blocks the event loop`,
      {
        calls: this.#takeLastCalls(),
        suggestedDeadline: longerThan(options.deadline),
      },
    )
  }

  /** Lets the process end on its own and returns the notes about the store. */
  async end(): Promise<string[]> {
    await this.#noteAnEndByItself()
    const leftOpen = (await this.#child?.leave(endsWithin)) ?? null
    if (leftOpen !== null) {
      const what = nameResources(leftOpen)
      this.#notes.add(`after its last handle was closed, the store kept its process alive (${what}); it was killed`)
    }
    await this.#drop()
    return [...this.#notes]
  }

  async kill(): Promise<void> {
    this.#isKilled = true
    await this.#drop()
  }

  async #running(deadline: number): Promise<HostChild> {
    await this.#noteAnEndByItself()
    if (this.#child !== null) return this.#child
    const child = await this.#start()
    const within = deadline + loadsWithin
    const outcome = await this.#load(child, { kind: 'load' }, within)
    if (outcome.kind === 'answered' && outcome.answer.kind === 'loaded') return child
    await this.#drop()
    throw new CannotProve('store', `the store's module did not load again: ${tell(outcome, within)}`)
  }

  async #start(): Promise<HostChild> {
    if (this.#isKilled) throw new CannotProve('kit', 'the process was ended')
    let child: HostChild
    try {
      child = new HostChild(this.#module, this.#folder)
    } catch (error) {
      throw new CannotProve('store', messageOf(error), { cause: error })
    }
    this.#child = child
    const ready = await child.isReady(startsWithin)
    if (ready === true) return child
    await this.#drop()
    throw new CannotProve(
      'kit',
      `the process for the cases did not start; this is not the store's fault: ${ready.complaint}`,
    )
  }

  async #load(child: HostChild, request: HostRequest, within: number): Promise<Outcome> {
    const outcome = await child.ask(request, within)
    if (outcome.kind !== 'answered' || outcome.answer.kind !== 'refused') return outcome
    await this.#drop()
    throw new CannotProve('store', outcome.answer.message)
  }

  async #noteAnEndByItself(): Promise<void> {
    if (this.#child === null || this.#child.isAlive) return
    const outcome = await this.#child.kill()
    await this.#drop()
    this.#notes.add(`outside of any case, after ${this.#before} had ended, ${tell(outcome, 0)}`)
  }

  async #drop(): Promise<void> {
    const child = this.#child
    this.#child = null
    await child?.kill()
    for (const stray of child?.strays.slice(0, straysTold) ?? [])
      this.#notes.add(`outside of any case, an error was left unhandled: ${stray}`)
  }

  #takeLastCalls(): string[] {
    const file = join(this.#folder, lastCallsFile)
    try {
      const [line = ''] = readFileSync(file, 'utf8').split('\n', 1)
      return JSON.parse(line) as string[]
    } catch {
      return []
    } finally {
      rmSync(file, { force: true })
    }
  }
}

function tell(outcome: Outcome, deadline: number): string {
  if (outcome.kind === 'late') return `did not end within ${deadline / 1000} s`
  if (outcome.kind === 'answered') return `the answer was ${outcome.answer.kind}`
  const said = lastWordsIn(outcome.complaint)
  return `the process ended ${outcome.how}${said === '' ? '' : `, saying: ${said}`}`
}

/** The line that says why: the message of an uncaught error, or else the last line. */
function lastWordsIn(complaint: string): string {
  const lines = complaint.split('\n').filter((line) => line.trim() !== '' && !/^Node\.js v\d/.test(line))
  return (lines.find((line) => /^(Uncaught )?[A-Z]\w*(Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? '').trim()
}
