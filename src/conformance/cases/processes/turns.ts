import assert from 'node:assert/strict'
import type { SessionMemory } from '../../../core/session-memory.ts'
import { after } from '../../../plain/after.ts'
import { wholeDeadline } from '../helpers/patience.ts'
import { same } from '../helpers/same.ts'
import { turns as messages } from '../helpers/samples.ts'
import { requireWhole, speakInTurn } from '../helpers/whole-turns.ts'
import type { WrittenCase } from '../written-case.ts'

const processes = { level: 'processes', needs: ['persistent', 'processes', 'turns', 'codes'] } as const

/** Long enough that a busy machine renews it in time. */
const lease = 1500

export const turnsOfProcesses: WrittenCase[] = [
  {
    ...processes,
    id: 'turns.1/eight-processes',
    clause: 'turns.1',
    title: 'eight processes taking turns in one session lose none and mix none',
    async run({ store, inProcess }) {
      const handles = await Promise.all(Array.from({ length: 8 }, () => inProcess()))
      const names = handles.map((_, process) => Array.from({ length: 5 }, (_, turn) => `${process}.${turn}`))
      await Promise.all(
        handles.map(async (handle, process) => {
          for (const name of names[process] ?? []) await handle.store.withTurn('s', (turn) => speakInTurn(turn, name))
        }),
      )
      await requireWhole(store, 's', names.flat())
    },
  },
  {
    ...processes,
    id: 'turns.10/killed',
    clause: 'turns.10',
    title: 'the turn of a killed process is free after its lease, and what it wrote is kept',
    async run({ store, inProcess }) {
      const holder = await inProcess()
      const killed = holder.store.withTurn(
        's',
        async (turn) => {
          await turn.addMessages(messages(1))
          const early = store.withTurn('s', () => {}, { wait: 0 })
          await assert.rejects(early, { code: 'SESSION_BUSY' })
          await holder.kill()
        },
        { lease },
      )
      await assert.rejects(killed)
      await store.withTurn('s', (turn) => turn.addMessages(messages(1, 2)), { wait: wholeDeadline() })
      same(await store.getHistory('s'), messages(2))
    },
  },
  {
    ...processes,
    id: 'turns.10/stopped',
    clause: 'turns.10',
    title: 'a process stopped for longer than its lease is rejected when it resumes, even if nobody took over',
    async run({ store, inProcess }) {
      for (const isTakenOver of [true, false]) {
        const session = `taken over: ${isTakenOver}`
        const holder = await inProcess()
        const isStopped = async (turn: SessionMemory) => {
          await turn.addMessages(messages(1))
          holder.stop()
          const meanwhile = isTakenOver
            ? store.withTurn(session, (next) => next.addMessages(messages(1, 2)), { wait: wholeDeadline() })
            : after(2 * lease).promise
          const late = meanwhile.then(() => turn.addMessages(messages(1, 9)))
          await meanwhile.finally(() => holder.goOn())
          await assert.rejects(late, { code: 'TURN_LOST' })
        }
        let work: Promise<void> | undefined
        const stopped = holder.store.withTurn(
          session,
          (turn) => {
            work = isStopped(turn)
            return work
          },
          { lease },
        )
        await assert.rejects(stopped, { code: 'TURN_LOST' })
        await work
        same(await store.getHistory(session), messages(isTakenOver ? 2 : 1))
        await holder.finish()
      }
    },
  },
]
