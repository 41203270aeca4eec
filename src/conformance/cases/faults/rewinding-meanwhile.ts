import assert from 'node:assert/strict'
import type { EntryInput } from '../../../core/entries.ts'
import type { PlannedFault } from '../../../faults/fault-plan.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const timeout = 60_000
/** More writers than a rewind waits for. */
const tooMany = 40
const level = 'faults' as const
const oneOfEachKind: readonly EntryInput[] = [
  { kind: 'record', record: { type: 'state' } },
  { kind: 'message', message: { role: 'user', content: 'meanwhile' } },
  { kind: 'toolCall', toolCall: { id: 'c', name: 'n' } },
  { kind: 'summary', standsIn: false, summary: { text: 'by hand' } },
]

export const rewindingMeanwhile: WrittenCase[] = [
  {
    level,
    needs: ['versions', 'faults', 'edits'],
    id: 'rewinding.2/turns-added-before-each-commit',
    clause: 'rewinding.2',
    title: 'turns added before each commit of a rewind are cut and returned, even if the cut is swept at once',
    async run({ withFaults }) {
      for (const added of [0, 1, 2, 3, 4]) {
        let count = 0
        const meanwhile: PlannedFault['meanwhile'] = async (method) => {
          if (method === 'commit' && count < added) {
            count += 1
            await sound.addMessages('s', turns(1, 3 + count))
          } else await sound.sweep('s')
        }
        const pause = { do: 'pause', at: 1, times: Number.POSITIVE_INFINITY, meanwhile } as const
        const { store, sound } = await withFaults([pause], { timeout })
        await sound.addMessages('s', turns(3))
        const { removed } = await store.rewind('s', { to: 1 })
        const cut = removed.map((entry) => (entry.kind === 'message' ? entry.message.content : entry.kind))
        const kept = texts(await sound.getHistory('s'))
        const about = `${added} turns were added meanwhile`
        same([kept[0], ...cut, ...kept.slice(1)], texts(turns(3 + added)), `${about}: each is kept or returned, once`)
        same(await sound.listSnapshots('s'), [], `${about}: no snapshot stays`)
        same(await sound.verify('s'), { ok: true })
        count = 0
        await sound.clear('s')
        const { seqs } = await sound.addMessages('s', turns(3))
        await store.rewind('s', { to: seqs[0] ?? 0, snapshot: { id: 'left', label: 'l' } })
        const saved = (await sound.listSnapshots('s')).map(({ id, label, automatic }) => ({ id, label, automatic }))
        same(saved, [{ id: 'left', label: 'l', automatic: false }], `${about}: the snapshot that was asked for stays`)
        const left = texts(await sound.getHistory('s', { at: 'left' }))
        same(left, texts(turns(left.length)), `${about}: what it left`)
        assert.ok(left.length >= 3, `${about}: ${left.length} turns were left`)
      }
      let met = 0
      const meanwhile = async () => {
        met += 1
        if (met < tooMany) await sound.addMessages('s', turns(1, 9))
      }
      const { store, sound } = await withFaults([{ do: 'pause', at: 1, of: 'commit', times: tooMany, meanwhile }], {
        timeout,
      })
      await sound.addMessages('s', turns(3))
      const saved = Array.from({ length: 12 }, (_, number) => `saved ${number}`)
      for (const id of saved) await sound.saveSnapshot('s', { id })
      await store.rewind('s', { to: 1 })
      same(
        (await sound.listSnapshots('s')).map(({ id }) => id),
        saved,
        'what was saved by hand stays, however much of it there is',
      )
      assert.ok(met < tooMany, 'the rewind did not end before its writers did')
    },
  },
  {
    level,
    needs: ['versions', 'edits', 'faults'],
    id: 'rewinding.6/added-before-each-commit',
    clause: 'rewinding.6',
    title: 'entries of every kind, added before each commit of a replacement, are cut and returned',
    async run({ withFaults }) {
      for (const added of [0, 1, 2, 3, 4]) {
        const meanwhile: PlannedFault['meanwhile'] = async () => {
          const count = known.length - 2
          if (count < added) known.push(...(await sound.addEntries('s', [oneOfEachKind[count] as EntryInput])).seqs)
        }
        const pause = { do: 'pause', at: 1, of: 'commit', times: Number.POSITIVE_INFINITY, meanwhile } as const
        const { store, sound } = await withFaults([pause], { timeout })
        const known = [...(await sound.addMessages('s', turns(2))).seqs]
        const entries = oneOfEachKind.slice(0, 2)
        const { removed, seqs } = await store.rewind('s', { to: 1, entries })
        const about = `${added} entries were added meanwhile`
        const cut = removed.map(({ seq }) => seq)
        const now = await sound.getEntries('s')
        const kept = now.map(({ seq }) => seq)
        same(kept.slice(0, 3), [1, ...seqs], `${about}: what replaces the end is one piece`)
        same(
          [...kept, ...cut].sort((a, b) => a - b),
          [...known, ...seqs].sort((a, b) => a - b),
          `${about}: each is kept or returned, once`,
        )
        same(
          removed.slice(1).map(({ kind }) => kind),
          oneOfEachKind.slice(0, removed.length - 1).map(({ kind }) => kind),
          about,
        )
        same(await sound.verify('s'), { ok: true })
      }
    },
  },
  {
    level,
    needs: ['versions', 'operations', 'faults'],
    id: 'operations.1/rewind-repeated-after-writers',
    clause: 'operations.1',
    title: 'a rewind that met concurrent writers returns the same result when repeated',
    async run({ withFaults }) {
      for (const times of [1, 2, 3]) {
        const meanwhile = () => sound.addMessages('s', turns(1, 4))
        const { store, sound } = await withFaults([{ do: 'pause', at: 1, of: 'commit', times, meanwhile }], { timeout })
        await sound.addMessages('s', turns(3))
        const options = { to: 1, operationId: 'once' }
        const first = await store.rewind('s', options)
        await sound.addMessages('s', turns(1, 9))
        for (const again of [store, sound]) same(await again.rewind('s', options), first)
      }
    },
  },
]
