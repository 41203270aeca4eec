import { type ChildProcess, fork } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './find-mutants.ts'
import type { News, Question } from './judge-process.ts'

export interface Judged {
  readonly mutant: Mutant
  /** The case that failed; `null` if none did. */
  readonly killedBy: string | null
  readonly how: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const parts = ['core', 'plain', 'backends/memory']
/** A case may take this long, in milliseconds; nothing may be heard of a process for twice as long. */
const deadline = 20_000

/** What is learned about the cases from mutant to mutant: what kills often and costs little is run first. */
class Order {
  readonly #kills = new Map<string, number>()
  readonly #costs = new Map<string, number>()
  #ids: readonly string[] = []

  note(news: News): void {
    if (news.kind === 'offered') this.#ids = news.ids
    if (news.kind === 'passed') this.#costs.set(news.id, news.milliseconds)
    if (news.kind === 'killed') this.#kills.set(news.id, (this.#kills.get(news.id) ?? 0) + 1)
  }

  get ids(): string[] {
    const value = (id: string) => ((this.#kills.get(id) ?? 0) + 0.2) / ((this.#costs.get(id) ?? 100) + 20)
    return this.#ids.toSorted((one, other) => value(other) - value(one))
  }
}

/** A copy of the built store in which one mutant at a time is put. */
class Workbench {
  readonly folder: string

  constructor(number: number) {
    this.folder = join(root, '.scratch', `mutants-${process.pid}-${number}`)
    rmSync(this.folder, { recursive: true, force: true })
    for (const part of parts) {
      mkdirSync(join(this.folder, part), { recursive: true })
      cpSync(join(root, 'dist', part), join(this.folder, part), { recursive: true })
    }
  }

  async judge(mutant: Mutant, order: Order): Promise<Judged> {
    const path = join(this.folder, mutant.file)
    const code = readFileSync(path, 'utf8')
    writeFileSync(path, code.slice(0, mutant.start) + mutant.mutated + code.slice(mutant.end))
    try {
      const question: Question = { folder: this.folder, order: order.ids, deadline }
      const [killedBy, how] = await answerOf(question, order)
      return { mutant, killedBy, how }
    } finally {
      writeFileSync(path, code)
    }
  }
}

function answerOf(question: Question, order: Order): Promise<[string | null, string]> {
  const module = fileURLToPath(new URL('./judge-process.ts', import.meta.url))
  const child: ChildProcess = fork(module, [JSON.stringify(question)], { stdio: 'ignore', execArgv: [] })
  let running = 'opening the store'
  return new Promise((resolve) => {
    const end = (killedBy: string | null, how: string) => {
      clearTimeout(late)
      child.kill('SIGKILL')
      resolve([killedBy, how])
    }
    let late = setTimeout(() => {}, 0)
    const wait = () => {
      clearTimeout(late)
      late = setTimeout(() => end(running, 'hung: the process no longer reacted'), deadline * 2)
    }
    child.on('message', (news: News) => {
      wait()
      order.note(news)
      if (news.kind === 'running') running = news.id
      if (news.kind === 'killed') end(news.id, news.how)
      if (news.kind === 'survived') end(null, '')
    })
    child.on('exit', () => end(running, 'died: the process ended'))
    wait()
  })
}

/** Judges mutants with so many processes at once. */
export async function judgeMutants(
  mutants: readonly Mutant[],
  workers: number,
  onJudged: (judged: Judged, number: number) => void = () => {},
): Promise<Judged[]> {
  const order = new Order()
  const waiting = [...mutants.entries()]
  const judged: Judged[] = []
  const work = async (_: unknown, number: number) => {
    const bench = new Workbench(number)
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, mutant] = next
        const one = await bench.judge(mutant, order)
        judged[index] = one
        onJudged(one, index)
      }
    } finally {
      rmSync(bench.folder, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return judged
}
