import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openMemory } from 'unforget'
import { makeRandom } from 'unforget/faults'
import { checkHistory } from '../checker/check-history.ts'
import { mayBeApplied } from '../checker/history.ts'
import { readLogs } from '../workload/log.ts'
import { settle } from '../workload/settle.ts'
import type { WriterTask } from './writer.ts'

const module = fileURLToPath(new URL('./writer.ts', import.meta.url))
const lanes = 4

export interface KillRounds {
  readonly rounds: number
  readonly acknowledged: number
  /** Operations that had begun when the process died. */
  readonly open: number
  readonly problems: readonly string[]
}

/** Kills a writing process again and again, on the same file, and checks after each kill exactly what must be there. */
export async function killRounds(options: {
  readonly folder: string
  readonly seed: number
  readonly rounds: number
  readonly until: number
  readonly onRound?: (done: number) => void
}): Promise<KillRounds> {
  const { folder, seed, rounds, until, onRound } = options
  const random = makeRandom(seed)
  const total = { rounds: 0, acknowledged: 0, open: 0, problems: [] as string[] }
  let begun = 0
  const lane = async (number: number) => {
    const file = join(folder, `lane-${number}.db`)
    while (begun < rounds && Date.now() < until) {
      const round = ++begun
      const { acknowledged, open, problems } = await killOnce(
        file,
        join(folder, `round-${round}`),
        seed * 1e5 + round,
        random,
      )
      total.acknowledged += acknowledged
      total.open += open
      total.problems.push(...problems.map((problem) => `round ${round}: ${problem}`))
      total.rounds += 1
      onRound?.(total.rounds)
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)))
  return total
}

async function killOnce(file: string, folder: string, seed: number, random: () => number) {
  mkdirSync(folder)
  const session = `session ${seed}`
  const task: WriterTask = {
    file,
    marks: join(folder, 'marks'),
    folder,
    sessions: [session],
    seed,
    opens: 1,
    calls: 200,
    atOnce: 3,
    timeout: 10_000,
  }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', module, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  await killAtRandom(child, random)
  const before = readLogs(folder)
  await using memory = await openMemory(`sqlite:${file}`, { timeout: 20_000 })
  const operations = await settle(memory, folder, [session])
  const violations = checkHistory(operations)
  if (violations.length === 0) rmSync(folder, { recursive: true })
  return {
    acknowledged: before.filter(({ attempts }) => attempts[0]?.outcome?.is === 'ok').length,
    open: before.filter(mayBeApplied).length,
    problems: violations.map(({ rule, message }) => `${rule}: ${message}`),
  }
}

/** Mostly while it writes; now and then while it opens the file. */
async function killAtRandom(child: ChildProcess, random: () => number): Promise<void> {
  const ended = once(child, 'exit')
  if (random() < 0.9) {
    await Promise.race([once(child, 'message'), ended])
    await wait(random() * 120)
  } else await wait(random() * 300)
  child.kill('SIGKILL')
  await ended
}
