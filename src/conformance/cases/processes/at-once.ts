import assert from 'node:assert/strict'
import { setImmediate as tick } from 'node:timers/promises'
import type { FullStore, RemoteHandle } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const processes = { level: 'processes', needs: ['persistent', 'processes'] } as const

/** Several processes, each with its own handle. */
const several = (inProcess: () => Promise<RemoteHandle>, count: number) =>
  Promise.all(Array.from({ length: count }, () => inProcess()))

/** Says several things in a row, each as a pair of turns. */
async function speak(store: FullStore, session: string, name: string, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    const content = `${name}.${turn}`
    await store.addMessages(session, [
      { role: 'user', content },
      { role: 'assistant', content },
    ])
  }
}

const said = (name: string, count: number) => Array.from({ length: count * 2 }, (_, index) => `${name}.${index >> 1}`)

export const atOnce: WrittenCase[] = [
  {
    ...processes,
    id: 'processes.3/three-write-to-one-conversation',
    clause: 'processes.3',
    title: 'three processes with six writers each, all writing to one conversation at once, lose no turn',
    async run({ store, inProcess }) {
      const writers = await several(inProcess, 3)
      await Promise.all(
        writers.flatMap((writer, process) =>
          Array.from({ length: 6 }, (_, number) => speak(writer.store, 's', `${process}-${number}`, 12)),
        ),
      )
      const kept = texts(await store.getHistory('s'))
      same(kept.length, 3 * 6 * 12 * 2, 'how many turns are kept')
      for (let process = 0; process < 3; process++) {
        for (let number = 0; number < 6; number++) {
          const name = `${process}-${number}`
          same(
            kept.filter((text) => String(text).startsWith(`${name}.`)),
            said(name, 12),
          )
        }
      }
      for (let index = 0; index < kept.length; index += 2) same(kept[index], kept[index + 1], 'no pair is torn apart')
    },
  },
  {
    ...processes,
    id: 'processes.3/conversations-of-their-own',
    clause: 'processes.3',
    title: 'processes that write to separate conversations at once do not mix them',
    async run({ store, inProcess }) {
      const writers = await several(inProcess, 2)
      await Promise.all(
        writers.flatMap(({ store: one }, process) => [
          speak(one, `a${process}`, 'a', 25),
          speak(one, `b${process}`, 'b', 25),
        ]),
      )
      for (const name of ['a', 'b']) {
        for (const process of [0, 1]) same(texts(await store.getHistory(`${name}${process}`)), said(name, 25))
      }
    },
  },
  {
    ...processes,
    id: 'processes.3/one-trims-while-another-writes',
    clause: 'processes.3',
    title: 'a process that trims while others write loses none of their turns',
    async run({ store, inProcess }) {
      await store.addMessages('s', turns(400))
      const [one, two] = await several(inProcess, 2)
      assert.ok(one && two, 'two processes')
      let writing = 2
      const writers = [one, two].map(async (writer, index) => {
        await speak(writer.store, 's', `w${index}`, 30)
        writing -= 1
      })
      while (writing > 0) {
        await store.trim('s', { maxEntries: 200 })
        await tick()
      }
      await Promise.all(writers)
      const kept = texts(await store.getHistory('s'))
      for (const name of ['w0', 'w1']) {
        same(
          kept.filter((text) => String(text).startsWith(name)),
          said(name, 30),
        )
      }
    },
  },
  {
    ...processes,
    id: 'processes.4/changes-elsewhere-are-seen',
    clause: 'processes.4',
    title: 'a handle sees at once what another process adds, trims and clears',
    async run({ store, inProcess }) {
      const other = await inProcess()
      for (let round = 0; round < 3; round++) {
        same(await store.getHistory('s'), [])
        await other.store.addMessages('s', turns(8))
        same(await store.getHistory('s'), turns(8))
        await store.addMessages('s', turns(1, 9))
        same(texts(await other.store.getHistory('s')), texts(turns(9)))
        await other.store.trim('s', { maxEntries: 3 })
        same(await store.getHistory('s'), turns(3, 7))
        await store.clear('s')
        same(await other.store.getHistory('s'), [])
      }
    },
  },
  {
    ...processes,
    id: 'processes.4/rollbacks-elsewhere-are-seen',
    clause: 'processes.4',
    title: 'a handle sees the snapshots and the rollback of another process at once, and writes after it',
    async run({ store, inProcess }) {
      const other = await inProcess()
      await store.addMessages('s', turns(4))
      const { id } = await other.store.saveSnapshot('s')
      assert.ok(
        (await store.listSnapshots('s')).some((snapshot) => snapshot.id === id),
        'the snapshot is not listed',
      )
      await store.addMessages('s', turns(2, 5))
      same((await other.store.getHistory('s')).length, 6)
      await store.rollbackToSnapshot('s', id)
      same(await other.store.getHistory('s'), turns(4))
      await other.store.addMessages('s', turns(1, 9))
      same(texts(await store.getHistory('s')), [...texts(turns(4)), 'turn 9'])
    },
  },
  {
    ...processes,
    needs: [...processes.needs, 'operations'],
    id: 'processes.3/operation-in-two-processes',
    clause: 'processes.3',
    title: 'an operation that two processes run at once, and a third repeats later, is applied once',
    async run({ store, inProcess }) {
      const writers = await several(inProcess, 2)
      const add = (one: FullStore, turn: number) =>
        one.addMessages('s', turns(2, turn), { operationId: `turn ${turn}` })
      for (let turn = 1; turn <= 9; turn += 2) await Promise.all(writers.map((writer) => add(writer.store, turn)))
      await Promise.all(writers.map((writer) => writer.finish()))
      await add(store, 1)
      same(await store.getHistory('s'), turns(10))
    },
  },
  {
    ...processes,
    needs: [...processes.needs, 'versions', 'codes'],
    id: 'processes.3/one-winner-of-a-version',
    clause: 'processes.3',
    title: 'of the writers in two processes on one version, exactly one wins',
    async run({ store, inProcess }) {
      const writers = await several(inProcess, 2)
      for (let round = 0; round < 5; round++) {
        const { version } = await store.addMessages('s', turns(1, round))
        const results = await Promise.allSettled(
          [...writers, ...writers].map((writer) => writer.store.addMessages('s', turns(1), { ifVersion: version })),
        )
        same(results.filter(({ status }) => status === 'fulfilled').length, 1)
        for (const result of results) {
          if (result.status === 'rejected') same(result.reason.code, 'VERSION_CONFLICT')
        }
        same((await store.getHistory('s')).length, (round + 1) * 2)
      }
    },
  },
  {
    ...processes,
    id: 'processes.6/four-begin-at-once',
    clause: 'processes.6',
    title: 'four processes that open and write to a new memory at once all succeed',
    async run({ inProcess, newLocation }) {
      const location = newLocation()
      const handles = await several(() => inProcess(location), 4)
      await Promise.all(handles.map(({ store }, process) => store.addMessages('s', turns(2, process * 2))))
      for (const { store } of handles) same((await store.getHistory('s')).length, 8)
    },
  },
]
