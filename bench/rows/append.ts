import type { MemoryStore } from 'unforget'
import { boundBody, sessionChecksum } from '../../src/backends/sqlite/checksums.ts'
import { sealEntry } from '../../src/core/seal-entry.ts'
import type { SessionHead } from '../../src/core/session-state.ts'
import { BareDatabase } from '../bare-database.ts'
import { alternate, cpuOfEach, type Effort, timeEach, timeEachSync } from '../measure.ts'
import { type Bench, type Row, rowGroup, timesTheThroughput, timesTheTime } from '../row.ts'
import { settleLog } from '../settle-log.ts'
import { makeTurn } from '../turns.ts'
import { openMemory } from '../unforget.ts'

const callers = 64
const turn = makeTurn(1)
const body = JSON.stringify(turn)

interface Fixture {
  readonly bench: Bench
  readonly memory: MemoryStore
  readonly bare: BareDatabase
}

export const appendGroup = rowGroup<Fixture>(
  async (bench) => {
    const memory = await openMemory(`sqlite:${bench.freshFile('append.db')}`)
    const bare = new BareDatabase(bench.freshFile('append-bare.db'))
    await settleLog(memory, bench.size(1200, 10))
    timeEachSync(bench.size(1200, 10), () => bare.insert('settling', body))
    bare.requireFull()
    return { bench, memory, bare }
  },
  async ({ memory, bare }) => {
    bare.close()
    await memory.close()
  },
  [
    {
      name: 'append',
      what: 'one message appended, one at a time',
      baseline: 'a bare insert in its own transaction',
      async measure({ bench, memory, bare }) {
        const times = bench.size(25, 5)
        const rounds = await alternate(
          () => timeEach(times, () => memory.addMessages('one', [turn])),
          () => timeEachSync(times, () => bare.insert('one', body)),
          effortOf(bench),
        )
        return timesTheTime(rounds, 'addMessages', 'bare insert')
      },
    },
    {
      name: 'append-checksums',
      what: 'the checksums of one message appended',
      baseline: 'the whole append, one at a time',
      async measure({ bench, memory }) {
        const rounds = await alternate(
          () => timeEachSync(bench.size(1000, 5), checksumsOfAnAppend),
          () => timeEach(bench.size(25, 5), () => memory.addMessages('one', [turn])),
          effortOf(bench),
        )
        return timesTheTime(rounds, 'checksums', 'addMessages')
      },
    },
    appendTogether('append-64-one', 'to one session', () => 'shared'),
    appendTogether('append-64-each', 'to 64 sessions', (caller) => `caller-${caller}`),
    appendCpu('append-cpu-one', 'to one session', () => 'shared'),
    appendCpu('append-cpu-each', 'to 64 sessions', (caller) => `caller-${caller}`),
  ],
)

const nonce = '0123456789abcdef'
const sums = { summary_sum: 0, snapshot_sum: 0, operation_sum: 0, unchecked_operations: 0, about_sum: 0 }

/** What SQLite's backend computes for an append: the entry's checksum, bound to its row, and that of the session's row as it was and as it is. */
function checksumsOfAnAppend(index: number): number {
  const head: SessionHead = {
    birth: nonce,
    counter: index,
    nonce,
    epoch: 1,
    epochNonce: nonce,
    end: index,
    createdAt: index,
    updatedAt: index,
    ttl: null,
    ownTtl: false,
    expiresAt: null,
    takenBack: 1,
    takenBackNonce: nonce,
  }
  const entry = sealEntry('message', body, null)
  const bound = boundBody(1, { ...entry, seq: index, at: index })
  const before = sessionChecksum('one', 1, head, sums)
  return before ^ sessionChecksum('one', 1, { ...head, end: index + 1 }, sums) ^ bound.length
}

function appendTogether(name: string, where: string, sessionOf: (caller: number) => string): Row<Fixture> {
  return {
    name,
    what: `${callers} callers appending at once, ${where}`,
    baseline: 'the bare insert, one at a time',
    async measure({ bench, memory, bare }) {
      const each = bench.size(2, 1)
      const append = (caller: number) => timeEach(each, () => memory.addMessages(sessionOf(caller), [turn]))
      const together = async () => {
        const started = performance.now()
        await Promise.all(Array.from({ length: callers }, (_, caller) => append(caller)))
        return (performance.now() - started) / (callers * each)
      }
      const rounds = await alternate(
        together,
        () => timeEachSync(bench.size(25, 5), () => bare.insert('one', body)),
        effortOf(bench),
      )
      return timesTheThroughput(rounds, 'addMessages, per message', 'bare insert')
    },
  }
}

/** Processor time, which a busy machine or a slow disk hardly changes. */
function appendCpu(name: string, where: string, sessionOf: (caller: number) => string): Row<Fixture> {
  return {
    name,
    what: `processor time of a message, ${callers} callers appending at once, ${where}`,
    baseline: 'a bare insert, 64 in a transaction',
    async measure({ bench, memory, bare }) {
      const batches = bench.size(10, 1)
      const together = () =>
        Array.from({ length: callers }, (_, caller) => memory.addMessages(sessionOf(caller), [turn]))
      const batch = Array.from({ length: callers }, () => body)
      const rounds = await alternate(
        () => cpuOfEach(batches, callers, () => Promise.all(together())),
        () => cpuOfEach(batches, callers, () => bare.insertAll('one', batch)),
        effortOf(bench),
      )
      return timesTheTime(rounds, 'addMessages, per message', 'bare insert')
    },
  }
}

function effortOf(bench: Bench): Effort {
  return { warmUp: bench.size(3, 1), rounds: bench.size(30, 3), parts: bench.size(10, 2) }
}
