import assert from 'node:assert/strict'
import type { PathSnapshot, SessionPaths } from '../../../core/types.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

/** What a snapshot reads, by the paths alone. */
function seqsOf({ epochs }: SessionPaths, { epoch, end }: Pick<PathSnapshot, 'epoch' | 'end'>): number[] {
  const { ranges } = epochs.find(({ number }) => number === epoch) ?? assert.fail(`epoch ${epoch} is there`)
  return ranges.flatMap(([from, to]) => {
    const length = (to ?? end) - from + 1
    return Array.from({ length: Math.max(0, length) }, (_, index) => from + index)
  })
}

export const paths: WrittenCase[] = [
  {
    id: 'paths.1/epochs-causes-and-snapshots',
    clause: 'paths.1',
    level: 'snapshots',
    needs: ['versions'],
    title: 'paths show what began each epoch, and what each epoch and snapshot reads',
    async run({ store }) {
      await store.addMessages('s', turns(8))
      const began = (await store.sessionInfo('s'))?.createdAt ?? 0
      const steps: [cause: string, change: () => Promise<unknown>][] = [
        ['begin', async () => {}],
        ['rewind', () => store.rewind('s', { to: 6 })],
        ['trim', () => store.trim('s', { maxEntries: 4 })],
        ['compact', () => store.compact('s', { keep: 2, summarize: () => 'so far' })],
        ['rollback', () => store.rollbackToSnapshot('s', 'begin')],
        ['clear', () => store.clear('s')],
      ]
      for (const [cause, change] of steps) {
        await change()
        await store.addMessages('s', turns(1, 50))
        await store.saveSnapshot('s', { id: cause, label: `after ${cause}` })
      }
      const found = (await store.paths('s')) ?? assert.fail('there is such a session')
      const { version, epoch } = await store.getHistory('s')
      same([found.version, found.epoch, found.end], [version, epoch, 15])
      same(
        found.epochs.map(({ number, cause, present }) => [number, cause, present]),
        steps.map(([cause], index) => [index + 1, cause, index === steps.length - 1]),
      )
      let before = began
      for (const { at, ranges } of found.epochs) {
        assert.ok(at !== null && at >= before, 'epochs have the time they began')
        before = at
        assert.equal(ranges.at(-1)?.[1], null, 'the last range is open')
      }
      const listed = await store.listSnapshots('s')
      same(
        found.snapshots.map(({ id, label, automatic, at }) => ({ id, label, automatic, at })),
        listed.map(({ id, label, automatic, at }) => ({ id, label, automatic, at })),
      )
      for (const snapshot of found.snapshots) {
        const read = (await store.getEntries('s', { at: snapshot.id })).map(({ seq }) => seq)
        same(seqsOf(found, snapshot), read, snapshot.id)
      }
      const now = (await store.getEntries('s')).map(({ seq }) => seq)
      same(seqsOf(found, { epoch: steps.length, end: found.end }), now)
    },
  },
  {
    id: 'paths.1/of-no-session',
    clause: 'paths.1',
    level: 'snapshots',
    title: 'a missing session has no paths, and an empty one has one',
    async run({ store }) {
      assert.equal(await store.paths('s'), null)
      assert.equal(await store.sessionInfo('s'), null)
      await store.saveSnapshot('s', { id: 'empty' })
      const found = await store.paths('s')
      same(found?.end, 0)
      same(found?.epochs, [{ number: 1, cause: 'begin', ranges: [[1, null]], present: true }])
      same(found?.snapshots, [{ id: 'empty', epoch: 1, end: 0 }])
      await store.deleteSession('s')
      assert.equal(await store.paths('s'), null)
    },
  },
]
