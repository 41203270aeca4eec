import { openSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type MemoryStore, MemoryStoreError, openMemory } from 'unforget'
import { makeRandom } from 'unforget/faults'
import { carryOut, outcomeOf } from '../workload/carry-out.ts'
import { chooseCall, type Known, learn } from '../workload/choose-call.ts'
import { type Asked, Log } from '../workload/log.ts'

/** What the recorded process is told. */
export interface WriterTask {
  readonly file: string
  /** A file to which every acknowledged operation is told. */
  readonly marks: string
  /** Where its log is. */
  readonly folder: string
  readonly sessions: readonly string[]
  readonly seed: number
  /** How often to open the file, and how many calls to make each time. */
  readonly opens: number
  readonly calls: number
  /** How many calls at once. */
  readonly atOnce: number
  readonly timeout: number
  readonly durability?: 'power' | 'process'
}

const task = JSON.parse(process.argv[2] ?? '') as WriterTask
const random = makeRandom(task.seed)
const marks = openSync(task.marks, 'w')
const log = new Log(task.folder, 'writer')
const known = new Map(task.sessions.map((id) => [id, { version: null, epoch: null, seqs: [], snapshots: [] } as Known]))
let made = 0

for (let round = 0; round < task.opens; round++) {
  const memory = (await open()) ?? (await healed())
  process.send?.('ready')
  while (made < (round + 1) * task.calls) await Promise.all(Array.from({ length: task.atOnce }, () => make(memory)))
  try {
    await memory.close()
  } catch (error) {
    await complain(error)
  }
}
process.disconnect?.()

async function make(memory: MemoryStore): Promise<void> {
  const id = `w-${++made}`
  const session = task.sessions[Math.floor(random() * task.sessions.length)] ?? ''
  const seen = known.get(session) as Known
  const chosen = chooseCall(random, seen, id)
  const call = ['delete', 'verify', 'import'].includes(chosen.method) ? ({ method: 'read' } as const) : chosen
  const asked: Asked = { id, session, call }
  const outcome = await log.record(asked, () => carryOut(memory, asked))
  if (outcome.is !== 'ok') return
  writeSync(marks, id)
  learn(seen, call, outcome.result)
}

async function open(): Promise<MemoryStore | null> {
  try {
    return await openMemory(`sqlite:${task.file}`, { timeout: task.timeout, durability: task.durability })
  } catch (error) {
    await complain(error)
    return null
  }
}

/** The fault ends, and the file must open. */
async function healed(): Promise<MemoryStore> {
  writeSync(marks, 'heal')
  await wait(10)
  return openMemory(`sqlite:${task.file}`, { timeout: 10_000 })
}

/** Errors of opening and closing must be typed as well. */
async function complain(error: unknown): Promise<void> {
  if (MemoryStoreError.is(error)) return
  const asked: Asked = { id: `open ${made}`, session: task.sessions[0] ?? '', call: { method: 'sweep' } }
  await log.record(asked, async () => outcomeOf(error))
}
