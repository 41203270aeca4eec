import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { inTime, wholeDeadline } from '../helpers/patience.ts'
import { same } from '../helpers/same.ts'
import { turns as messages } from '../helpers/samples.ts'
import { waiting } from '../helpers/waiting.ts'
import type { WrittenCase } from '../written-case.ts'
import { overridden } from './helpers/overridden.ts'

const faults = { level: 'faults', needs: ['turns', 'faults', 'codes'] } as const

/** Enough for a busy machine; a call that fails for as long as this is over soon. */
const timeout = 1000
const lease = 1500

/** Waits for the signal, and not for ever. */
function aborted(signal: AbortSignal): Promise<void> {
  const abort = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
  return inTime(abort, 'the signal of a turn that cannot be renewed did not abort')
}

/** By the backend's clock a lease has hardly begun, and no renewal is answered until `ended`. */
function clockThatStands(ended: Promise<unknown>) {
  return overridden((under) => ({
    takeTurn: (session, asked, deadline) =>
      under.takeTurn?.(session, { ...asked, milliseconds: 1000 * asked.milliseconds }, deadline) ??
      assert.fail('it declares turns'),
    renewTurn: () => ended.then(() => false),
  }))
}

export const failingTurns: WrittenCase[] = [
  {
    ...faults,
    id: 'turns.11/cut-off',
    clause: 'turns.11',
    title: 'a turn that cannot be renewed is lost when its lease ends, even if the backend cannot say so',
    async run({ withFaults, wrapped }) {
      const cutOff = (store: FullStore, whenLost = () => {}) =>
        store.withTurn(
          's',
          async (turn, signal) => {
            await turn.addMessages(messages(1))
            await aborted(signal)
            whenLost()
            assert.equal(signal.reason.code, 'TURN_LOST')
            await assert.rejects(turn.addMessages(messages(1, 2)), { code: 'TURN_LOST' })
          },
          { lease: 300 },
        )
      const { store, backend } = await withFaults([{ do: 'fail before', of: 'renewTurn', at: 1, times: 1e9 }], {
        timeout,
      })
      await assert.rejects(cutOff(store), { code: 'TURN_LOST' })
      assert.ok(backend.fired.length > 0, 'no renewal failed')
      same(await store.getHistory('s'), messages(1))
      const unanswered = waiting()
      const { store: late, sound } = await wrapped(clockThatStands(unanswered.promise), {
        timeout: 10 * wholeDeadline(),
      })
      await assert.rejects(cutOff(late, unanswered.end), { code: 'TURN_LOST' })
      same(
        await sound.getHistory('s'),
        messages(1),
        'what was written though the backend did not know that it was lost',
      )
    },
  },
  {
    ...faults,
    id: 'turns.11/renewed-in-the-end',
    clause: 'turns.11',
    title: 'a failed renewal that is retried in time does not lose the turn',
    async run({ withFaults }) {
      const { store, sound, backend } = await withFaults(
        [
          { do: 'fail after', of: 'takeTurn', at: 1 },
          { do: 'fail before', of: 'renewTurn', at: 1 },
          { do: 'fail after', of: 'renewTurn', at: 3 },
        ],
        { timeout },
      )
      await store.withTurn(
        's',
        async (turn, signal) => {
          const busy = sound.withTurn('s', () => {}, { wait: 1.5 * lease })
          await assert.rejects(busy, { code: 'SESSION_BUSY' })
          assert.ok(!signal.aborted, 'the signal of a turn that is held has aborted')
          await turn.addMessages(messages(1))
        },
        { lease },
      )
      same(backend.pending, [], 'every planned failure happened')
      same(await store.getHistory('s'), messages(1))
    },
  },
  {
    ...faults,
    id: 'turns.11/not-ended',
    clause: 'turns.11',
    title: 'a turn that could not be released still succeeds, and is free after its lease',
    async run({ withFaults }) {
      const { store, sound, backend } = await withFaults([{ do: 'fail before', of: 'endTurn', at: 1, times: 1e9 }], {
        timeout,
      })
      same(await store.withTurn('s', (turn) => turn.addMessages(messages(1)).then(() => 5), { lease }), 5)
      assert.ok(backend.fired.length > 0, 'ending it did not fail')
      await sound.withTurn('s', (turn) => turn.addMessages(messages(1, 2)), { wait: wholeDeadline() })
      same(await sound.getHistory('s'), messages(2))
    },
  },
]
