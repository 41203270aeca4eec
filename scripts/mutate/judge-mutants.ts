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
/** Functions that V8 has optimized are no longer counted. */
const countingAll = ['--no-opt', '--no-maglev']
/** A case may take this long, in milliseconds; nothing may be heard of a process for twice as long. */
const deadline = 15_000

/** What is learned about the cases: which of them run a mutant, and what kills often and costs little, which is run first. */
class Cases {
  readonly #kills = new Map<string, number>()
  readonly #costs = new Map<string, number>()
  readonly #covers = new Map<string, ReadonlySet<number>>()
  #always: ReadonlySet<number> = new Set()

  note(news: News): void {
    if (news.kind === 'passed') this.#costs.set(news.id, news.milliseconds)
    if (news.kind === 'killed') this.#kills.set(news.id, (this.#kills.get(news.id) ?? 0) + 1)
    if (news.kind !== 'covered') return
    if (news.id === null) this.#always = new Set(news.places)
    else this.#covers.set(news.id, new Set(news.places))
  }

  /** Those that may notice a mutant. What runs as the store is loaded may matter to all of them. */
  orderFor(index: number): string[] {
    const value = (id: string) => ((this.#kills.get(id) ?? 0) + 0.2) / ((this.#costs.get(id) ?? 100) + 20)
    const mayNotice = [...this.#covers.keys()].filter(
      (id) => this.#always.has(index) || this.#covers.get(id)?.has(index),
    )
    return mayNotice.sort((one, other) => value(other) - value(one))
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

  async cover(mutants: readonly Mutant[], cases: Cases): Promise<void> {
    const places = mutants.map(({ file, reached }) => ({ file, start: reached }))
    const [killedBy, how] = await this.#ask({ order: [], cover: places }, cases)
    if (killedBy !== null) throw new Error(`the store fails without a mutant: ${killedBy}: ${how}`)
  }

  async judge(mutant: Mutant, order: readonly string[], cases: Cases): Promise<Judged> {
    if (order.length === 0) return { mutant, killedBy: null, how: '' }
    const path = join(this.folder, mutant.file)
    const code = readFileSync(path, 'utf8')
    writeFileSync(path, code.slice(0, mutant.start) + mutant.mutated + code.slice(mutant.end))
    try {
      const [killedBy, how] = await this.#ask({ order }, cases)
      return { mutant, killedBy, how }
    } finally {
      writeFileSync(path, code)
    }
  }

  #ask(question: Pick<Question, 'order' | 'cover'>, cases: Cases): Promise<[string | null, string]> {
    const file = join(this.folder, 'question.json')
    writeFileSync(file, JSON.stringify({ ...question, folder: this.folder, deadline } satisfies Question))
    return answerOf(file, cases, question.cover ? countingAll : [])
  }
}

function answerOf(question: string, cases: Cases, execArgv: string[]): Promise<[string | null, string]> {
  const module = fileURLToPath(new URL('./judge-process.ts', import.meta.url))
  const child: ChildProcess = fork(module, [question], { stdio: 'ignore', execArgv })
  let running = 'opening the store'
  return new Promise((resolve) => {
    const end = (killedBy: string | null, how: string) => {
      clearTimeout(late)
      child.kill('SIGKILL')
      resolve([killedBy, how])
    }
    let late = setTimeout(() => {}, 0)
    const wait = (milliseconds = deadline) => {
      clearTimeout(late)
      late = setTimeout(() => end(running, 'hung: the process no longer reacted'), milliseconds * 2)
    }
    child.on('message', (news: News) => {
      wait(news.kind === 'running' ? news.deadline : deadline)
      cases.note(news)
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
  const cases = new Cases()
  const benches = Array.from({ length: workers }, (_, number) => new Workbench(number))
  const waiting = [...mutants.entries()]
  const judged: Judged[] = []
  const work = async (bench: Workbench) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, mutant] = next
      const one = await bench.judge(mutant, cases.orderFor(index), cases)
      judged[index] = one
      onJudged(one, index)
    }
  }
  try {
    await benches[0]?.cover(mutants, cases)
    await Promise.all(benches.map(work))
  } finally {
    for (const { folder } of benches) rmSync(folder, { recursive: true, force: true })
  }
  return judged
}
