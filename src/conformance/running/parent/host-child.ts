import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startProcess } from '../../../faults/start-process.ts'
import { after } from '../../../plain/after.ts'
import type { HostAnswer, HostArgument, HostNews, HostRequest } from '../host-protocol.ts'

/** The outcome of a request: a response, a timeout, or the end of the process. */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: HostAnswer }
  | { readonly kind: 'late' }
  | { readonly kind: 'ended'; readonly how: string; readonly complaint: string }

/** Maximum characters kept of what a process prints to stderr. */
const complaintKept = 4000
/** Time for the last output after the end of a process, in milliseconds. */
const lastWords = 500

/** One process that runs `host-process.ts`, in its own group, so that everything it started ends with it. */
export class HostChild {
  readonly #child: ChildProcess
  readonly #ended: Promise<Outcome>
  readonly #ready: Promise<unknown>
  readonly strays: string[] = []
  #leftOpen: readonly string[] | null = null
  #answered: (answer: HostAnswer) => void = () => {}
  #complaint = ''
  isAlive = true

  constructor(module: URL, folder: string) {
    const argument: HostArgument = { module: module.href, folder }
    this.#child = startProcess(hostProcess, argument, { loads: [module], ownGroup: true })
    this.#child.on('error', () => {})
    this.#ended = this.#watchForEnd()
    this.#ready = new Promise((resolve) => {
      this.#child.on('message', (message: HostAnswer | HostNews) => {
        if (message.kind === 'ready') resolve(message)
        else if (message.kind === 'stray') this.strays.push(message.message)
        else if (message.kind === 'left open') this.#leftOpen = message.resources
        else this.#answered(message)
      })
    })
    process.prependListener('exit', this.#killNow)
  }

  /** Whether it started; if not, what it printed. */
  async isReady(within: number): Promise<{ readonly complaint: string } | true> {
    const late = after(within)
    const end = await Promise.race([this.#ready.then(() => null), this.#ended, late.promise.then(() => lateOutcome)])
    late.cancel()
    if (end === null) return true
    return { complaint: end.kind === 'ended' ? `${end.how}: ${end.complaint}` : 'it took too long' }
  }

  async ask(request: HostRequest, within: number): Promise<Outcome> {
    const answer = new Promise<Outcome>((resolve) => {
      this.#answered = (answered) => resolve({ kind: 'answered', answer: answered })
    })
    const late = after(within)
    // A missing receiver shows as an exit or a timeout.
    this.#child.send(request, () => {})
    const outcome = await Promise.race([answer, this.#ended, late.promise.then(() => lateOutcome)])
    late.cancel()
    return outcome
  }

  /** Waits for the process to end on its own. If it does not, it is killed: resolves to what kept it alive, else to `null`. */
  async leave(within: number): Promise<readonly string[] | null> {
    const late = after(within)
    this.#child.send({ kind: 'leave' } satisfies HostRequest, () => {})
    const outcome = await Promise.race([this.#ended, late.promise.then(() => lateOutcome)])
    late.cancel()
    await this.kill()
    return outcome.kind === 'late' ? (this.#leftOpen ?? []) : null
  }

  async kill(): Promise<Outcome> {
    this.#killNow()
    return this.#ended
  }

  readonly #killNow = (): void => {
    const { pid } = this.#child
    if (this.isAlive) this.#child.kill('SIGKILL')
    if (pid === undefined || process.platform === 'win32') return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Nobody is left in the group.
    }
  }

  async #watchForEnd(): Promise<Outcome> {
    const { stderr } = this.#child
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-complaintKept)
    })
    const closed = once(this.#child, 'close').catch(() => [])
    const how = await once(this.#child, 'exit').then(
      ([code, signal]) => (signal === null ? `with exit code ${String(code)}` : `by ${String(signal)}`),
      (error: unknown) => `before it started (${String(error)})`,
    )
    this.isAlive = false
    this.#killNow()
    process.off('exit', this.#killNow)
    const last = after(lastWords)
    await Promise.race([closed, last.promise])
    last.cancel()
    return { kind: 'ended', how, complaint: this.#complaint.trim() }
  }
}

const lateOutcome = { kind: 'late' } as const
const hostProcess = new URL(import.meta.url.replace(/parent\/host-child(\.[jt]s).*$/, 'child/host-process$1'))
