import type { CaseContext, FullStore } from '../../case.ts'
import { isSame, same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { contentOf, interruptions, type PairedOperation } from './helpers/paired-operations.ts'
import { begin, makeCopy, openPair, outcomeOf } from './helpers/pausing-pair.ts'

/** More turns than are read in one slice. */
const long = 1100

const reads: readonly (PairedOperation & { long?: number })[] = [
  {
    name: 'getHistory',
    long,
    act: async (store, session) => [...(await store.getHistory(session))],
  },
  {
    name: 'getHistory-of-a-snapshot',
    long,
    act: async (store, session) => [...(await store.getHistory(session, { at: 'first' }))],
  },
  {
    name: 'getHistory-within-a-budget',
    act: async (store, session) => [...(await store.getHistory(session, { maxEntries: 4, keepSystem: true }))],
  },
  {
    name: 'getEntries',
    long,
    act: async (store, session) => (await store.getEntries(session)).map(contentOf),
  },
  {
    name: 'recall',
    act: async (store, session) =>
      (await store.recall(session, [1, 0.5])).map(({ summary, score }) => [summary.text, score]),
  },
  {
    name: 'verify',
    act: async (store, session) => (await store.verify(session)).damage,
  },
]

/** Under the id of a snapshot there is another one, and nobody reads the entries of the old one any more. */
const snapshotReplaced: PairedOperation = {
  name: 'another snapshot of the same id',
  async act(store, session) {
    await store.clear(session)
    for (const { id } of await store.listSnapshots(session)) await store.deleteSnapshot(session, id)
    await store.addMessages(session, turns(3, 80))
    await store.saveSnapshot(session, { id: 'first' })
    await store.sweep(session)
  },
}

/** Nobody reads the entries of a snapshot any more. */
const snapshotGone: PairedOperation = {
  name: 'the snapshot deleted and swept',
  async act(store, session) {
    await store.clear(session)
    for (const { id } of await store.listSnapshots(session)) await store.deleteSnapshot(session, id)
    await store.sweep(session)
  },
}

/** Each read is interrupted by each operation, before each of its calls to the backend but the first. */
export const interruptedReads: WrittenCase[] = reads.map((read) => ({
  id: `interleaving.2/${read.name}-interrupted`,
  clause: 'interleaving.2',
  level: 'faults',
  needs: ['windows', 'versions', 'codes', 'faults'],
  title: `${read.name.replaceAll('-', ' ')}, interrupted anywhere by any operation, returns the state before or after it`,
  run: (context) => interruptedByAll(read, context),
}))

async function interruptedByAll(
  { name, act, long: extra }: (typeof reads)[number],
  context: CaseContext,
): Promise<void> {
  const copy = await makeCopy(context.store, extra)
  const { store, sound, pauseAt, countCalls } = await openPair(context, context.store)
  const read = (handle: FullStore, session: string) => outcomeOf(act(handle, session, 'a'))
  const untouched = await begin(sound, copy, 'untouched')
  const before = await read(sound, untouched)
  const calls = await countCalls(() => read(store, untouched))
  for (const other of [...interruptions, snapshotReplaced, snapshotGone]) {
    for (let call = 2; call <= calls; call++) {
      const session = await begin(sound, copy, `${other.name} before call ${call}`, other.sweeps)
      const interrupt = () => outcomeOf(other.act(sound, session, 'b'))
      const seen = await pauseAt(call, () => read(store, session), interrupt)
      if (isSame(seen, before)) continue
      same(
        seen,
        await read(sound, session),
        `${name}, interrupted before call ${call} by ${other.name}, is of neither moment`,
      )
    }
  }
}
