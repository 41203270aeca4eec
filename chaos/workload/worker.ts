import { setTimeout as wait } from 'node:timers/promises'
import { type MemoryStore, MemoryStoreError } from 'unforget'
import { makeRandom } from 'unforget/faults'
import type { Operation, Outcome } from '../checker/history.ts'
import { carryOut } from './carry-out.ts'
import { chooseCall, type Known, learn, type Random } from './choose-call.ts'
import { type Asked, Log, readLogs } from './log.ts'
import { openStore, type Target } from './open-store.ts'
import { isRepeatable } from './repeat.ts'

/** What a process of the workload is told. */
export interface Task {
  readonly target: Target
  readonly name: string
  readonly seed: number
  readonly sessions: readonly string[]
  /** Where the logs of all processes are. */
  readonly folder: string
  /** How many calls to make. */
  readonly calls: number
  /** End by then, by the wall clock. */
  readonly until: number
}

const lease = 400

const task = JSON.parse(process.argv[2] ?? '') as Task
const random = makeRandom(task.seed)
const log = new Log(task.folder, task.name)
const known = new Map(task.sessions.map((id) => [id, { version: null, epoch: null, seqs: [], snapshots: [] } as Known]))
let made = 0

const memory = await open()
process.send?.('ready')
while (made < task.calls && Date.now() < task.until) await step(memory)
await memory.close()
process.disconnect?.()

/** A server may be down when a process starts. */
async function open(): Promise<MemoryStore> {
  for (;;) {
    try {
      return await openStore(task.target)
    } catch (error) {
      if (!MemoryStoreError.is(error) || Date.now() > task.until) throw error
      await wait(100)
    }
  }
}

async function step(memory: MemoryStore): Promise<void> {
  const session = pickOne(random, task.sessions)
  const chance = random()
  if (chance < 0.06) return repeatAnother(memory)
  if (chance < 0.12) return takeTurn(memory, session)
  await Promise.all(Array.from({ length: random() < 0.1 ? 3 : 1 }, () => make(memory, session)))
}

async function make(memory: MemoryStore, session: string, turn?: Parameters<typeof carryOut>[2], token?: string) {
  const id = `${task.name}-${++made}`
  const seen = known.get(session) as Known
  const call = chooseCall(random, seen, id)
  if (token !== undefined && (call.method === 'fork' || call.method === 'import' || call.method === 'delete')) return
  const asked: Asked = { id, session, call, ...(token !== undefined && { turn: token }) }
  const outcome = await log.record(asked, () => carryOut(memory, asked, turn))
  if (outcome.is === 'ok') learn(seen, call, outcome.result)
  if (outcome.is !== 'unknown' || !isRepeatable({ ...asked, attempts: [] })) return
  if (random() < 0.5) await log.record(asked, () => carryOut(memory, asked))
}

/** The same operation again, from this process: while it runs in the other one, after it ended, or after that process died. */
async function repeatAnother(memory: MemoryStore): Promise<void> {
  const recent = readLogs(task.folder).filter((one: Operation) => isRepeatable(one))
  const operation = pickOne(random, recent.slice(-40))
  if (operation === undefined) return
  const { attempts: _, ...asked } = operation
  made += 1
  await log.record(asked, () => carryOut(memory, asked))
}

async function takeTurn(memory: MemoryStore, session: string): Promise<void> {
  const token = `turn of ${task.name}-${made}`
  try {
    await memory.withTurn(
      session,
      async (turn) => {
        for (let index = 0; index < 3; index++) {
          await make(memory, session, turn, token)
          await wait(random() * 20)
        }
      },
      { lease, wait: 300 },
    )
  } catch (error) {
    if (!MemoryStoreError.is(error)) {
      const outcome: Outcome = { is: 'untyped', code: (error as Error).name, message: (error as Error).message }
      await log.record({ id: `${token}!`, session, call: { method: 'verify' } }, async () => outcome)
    }
  }
}

function pickOne<T>(random: Random, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)] as T
}
