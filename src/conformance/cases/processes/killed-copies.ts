import assert from 'node:assert/strict'
import { after } from '../../../plain/after.ts'
import type { CaseContext, FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const length = 6000

/** Lets processes write copies, and kills each at a different point of the time that a complete copy takes. */
async function killEach(
  { store, inProcess }: Pick<CaseContext, 'store' | 'inProcess'>,
  copy: (store: FullStore, id: string) => Promise<unknown>,
): Promise<void> {
  const began = performance.now()
  await copy(store, 'not killed')
  const time = performance.now() - began
  for (const part of [0.25, 0.5, 0.75]) {
    const id = `killed after ${part}`
    const { store: there, kill } = await inProcess()
    const copying = copy(there, id).catch(() => {})
    await Promise.race([copying, after(time * part).promise])
    await kill()
    const seen = (await store.getHistory(id)).length
    assert.ok(seen === 0 || seen === length, `${seen} of ${length} turns are there after the process was killed`)
    same((await store.verify()).damage, [], 'what a killed process left is no damage')
    if ((await store.sessionInfo(id)) === null) await copy(store, id)
    same(texts(await store.getHistory(id)), texts(turns(length)), 'the same again works')
  }
  const ids = (await store.listSessions()).sessions.map(({ id }) => id).sort()
  same(ids, ['killed after 0.25', 'killed after 0.5', 'killed after 0.75', 'not killed', 's'])
}

const killed = {
  clause: 'processes.7',
  level: 'processes',
  needs: ['persistent', 'processes'],
} as const

export const killedCopies: WrittenCase[] = [
  {
    ...killed,
    id: 'processes.7/killed-within-a-fork',
    title: 'a process killed in the middle of a long fork leaves no session and no damage, and a retry works',
    async run(context) {
      await context.store.addMessages('s', turns(length))
      await killEach(context, (store, id) => store.fork('s', id))
    },
  },
  {
    ...killed,
    id: 'processes.7/killed-within-an-import',
    title: 'a process killed in the middle of a long import leaves no session and no damage, and a retry works',
    async run(context) {
      await context.store.addMessages('s', turns(length))
      const copy = await context.store.exportSession('s')
      await killEach(context, (store, id) => store.importSession({ ...copy, id }))
    },
  },
]
