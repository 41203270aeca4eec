import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Task } from './worker.ts'

const module = fileURLToPath(new URL('./worker.ts', import.meta.url))

interface Member {
  readonly child: ChildProcess
  readonly task: Task
  readonly ended: Promise<number | null>
}

/** The processes of a round. A killed one is replaced by another that makes the calls it had left, or so. */
export class Crew {
  readonly #members = new Set<Member>()
  readonly failures: string[] = []
  #started = 0

  async start(task: Omit<Task, 'name'>): Promise<void> {
    const name = `p${++this.#started}`
    const full: Task = { ...task, name, seed: task.seed * 1000 + this.#started }
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', module, JSON.stringify(full)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let stderr = ''
    child.stderr?.on('data', (data) => {
      stderr += data
    })
    const ended = once(child, 'exit').then(([code, signal]) => {
      this.#members.delete(member)
      if (code !== 0 && signal !== 'SIGKILL') this.failures.push(`${name} ended with ${code ?? signal}: ${stderr}`)
      return code as number | null
    })
    const member: Member = { child, task: full, ended }
    this.#members.add(member)
    await Promise.race([once(child, 'message'), ended])
  }

  get isWorking(): boolean {
    return this.#members.size > 0
  }

  /** Kills one outright and starts another. */
  async killOne(random: () => number): Promise<void> {
    const member = this.#pick(random)
    if (member === undefined) return
    member.child.kill('SIGKILL')
    await member.ended
    const { name: _, ...task } = member.task
    await this.start({ ...task, calls: Math.ceil(task.calls / 2) })
  }

  /** Stops one for a while. */
  async stopOne(random: () => number, wait: (milliseconds: number) => Promise<unknown>): Promise<void> {
    const member = this.#pick(random)
    if (member === undefined) return
    member.child.kill('SIGSTOP')
    await wait(50 + random() * 900)
    member.child.kill('SIGCONT')
  }

  async done(): Promise<void> {
    while (this.#members.size > 0) await Promise.all([...this.#members].map(({ ended }) => ended))
  }

  end(): void {
    for (const { child } of this.#members) child.kill('SIGKILL')
  }

  #pick(random: () => number): Member | undefined {
    return [...this.#members][Math.floor(random() * this.#members.size)]
  }
}
