import { mkdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { makeRandom } from 'unforget/faults'
import { checkHistory } from '../checker/check-history.ts'
import type { CheckOptions } from '../checker/checking.ts'
import type { Operation, Violation } from '../checker/history.ts'
import { Crew } from './crew.ts'
import { openStore, type Target } from './open-store.ts'
import { settle } from './settle.ts'

/** Something that goes wrong, by name. */
export interface Fault {
  readonly name: string
  readonly strike: (random: () => number) => Promise<void>
}

export interface Round {
  /** For logs, and for the file of a SQLite memory. */
  readonly folder: string
  readonly seed: number
  readonly target: Target
  readonly processes: number
  readonly sessions: number
  /** Of each process. */
  readonly calls: number
  readonly seconds: number
  /** Besides killed and stopped clients. */
  readonly faults: readonly Fault[]
  /** Mends everything, before what became of the open operations is asked. */
  readonly heal?: () => Promise<void>
  /** Where to ask then, if not at the target. */
  readonly settleAt?: () => Target
  /** Prepared faults only, no kills and stops of clients. */
  readonly sparesClients?: boolean
  readonly check?: CheckOptions
}

export interface RoundResult {
  readonly operations: readonly Operation[]
  readonly violations: readonly Violation[]
  /** How often each fault struck. */
  readonly struck: ReadonlyMap<string, number>
}

/** Processes at work on a few sessions while faults strike, then the check of everything they saw. */
export async function runRound(round: Round): Promise<RoundResult> {
  const { folder, seed, target, processes, calls, seconds } = round
  mkdirSync(folder, { recursive: true })
  const sessions = Array.from({ length: round.sessions }, (_, index) => `session ${seed}.${index}`)
  const random = makeRandom(seed)
  const crew = new Crew()
  const struck = new Map<string, number>()
  const task = { target, seed, sessions, folder, calls, until: Date.now() + seconds * 1000 }
  const faults = round.sparesClients ? [...round.faults] : [...round.faults, ...clientFaults(crew)]
  try {
    await Promise.all(Array.from({ length: processes }, () => crew.start(task)))
    await Promise.all([crew.done(), strike(crew, faults, random, struck)])
  } finally {
    crew.end()
  }
  await round.heal?.()
  const memory = await openStore({ ...(round.settleAt?.() ?? target), options: { ...target.options, timeout: 20_000 } })
  try {
    const operations = await settle(memory, folder, sessions)
    const failures = crew.failures.map((message) => ({
      rule: 'no process is brought down',
      session: '',
      operations: [],
      message,
      needsWrites: false,
    }))
    return { operations, violations: [...failures, ...checkHistory(operations, round.check)], struck }
  } finally {
    await memory.close()
  }
}

async function strike(
  crew: Crew,
  faults: readonly Fault[],
  random: () => number,
  struck: Map<string, number>,
): Promise<void> {
  while (crew.isWorking && faults.length > 0) {
    await wait(20 + random() * 300)
    const fault = faults[Math.floor(random() * faults.length)]
    if (fault === undefined || !crew.isWorking) continue
    await fault.strike(random)
    struck.set(fault.name, (struck.get(fault.name) ?? 0) + 1)
  }
}

function clientFaults(crew: Crew): Fault[] {
  return [
    { name: 'client killed', strike: (random) => crew.killOne(random) },
    { name: 'client stopped and resumed', strike: (random) => crew.stopOne(random, wait) },
  ]
}
