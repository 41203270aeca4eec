import type { Case, CaseContext, FullStore } from '../../case.ts'
import { isSame, same } from '../../same.ts'
import { contentOf, interruptions, type PairedOperation } from './paired-operations.ts'
import { begin, makeCopy, openPair, outcomeOf, toPair } from './pausing-pair.ts'

/** More turns than are read in one slice. */
const long = 1100

const reads: readonly (PairedOperation & { long?: number })[] = [
  {
    name: 'getHistory',
    long,
    uses: ['getHistory'],
    act: async (store, session) => [...(await store.getHistory(session))],
  },
  {
    name: 'getHistory-of-a-snapshot',
    uses: ['getHistory'],
    act: async (store, session) => [...(await store.getHistory(session, { at: 'first' }))],
  },
  {
    name: 'getHistory-within-a-budget',
    uses: ['getHistory'],
    act: async (store, session) => [...(await store.getHistory(session, { maxEntries: 4, keepSystem: true }))],
  },
  {
    name: 'getEntries',
    long,
    uses: ['getEntries'],
    act: async (store, session) => (await store.getEntries(session)).map(contentOf),
  },
  {
    name: 'recall',
    uses: ['recall'],
    act: async (store, session) =>
      (await store.recall(session, [1, 0.5])).map(({ summary, score }) => [summary.text, score]),
  },
  {
    name: 'verify',
    uses: ['verify'],
    act: async (store, session) => (await store.verify(session)).damage,
  },
]

/** Each read is interrupted by each operation, before each of its calls to the backend but the first. */
export const interruptedReads: Case[] = reads.map((read) => ({
  id: `interleaving.2/${read.name}-interrupted-by-every-operation`,
  clause: 'interleaving.2',
  level: 'faults',
  needs: needsOf(read),
  title: `${read.name}, interrupted anywhere by any operation, returns what there was before or after it`,
  run: (context) => interruptedByAll(read, context),
}))

function needsOf({ uses }: PairedOperation): Case['needs'] {
  const prepared = toPair.filter(
    (method) => method !== 'getEntries' && method !== 'listSnapshots' && method !== 'sessionInfo',
  )
  const methods = new Set([...prepared, ...interruptions.flatMap((one) => one.uses), ...uses])
  return [...methods, 'windows', 'versions', 'codes', 'faults']
}

async function interruptedByAll(
  { name, act, long: turns }: (typeof reads)[number],
  context: CaseContext,
): Promise<void> {
  const copy = await makeCopy(context.store, turns)
  const { store, sound, pauseAt, countCalls } = await openPair(context, context.store)
  const read = (handle: FullStore, session: string) => outcomeOf(act(handle, session, 'a'))
  const untouched = await begin(sound, copy, 'untouched')
  const before = await read(sound, untouched)
  const calls = await countCalls(() => read(store, untouched))
  for (const other of interruptions) {
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
