import type { Reading } from '../../../../core/backend.ts'
import type { Recalled } from '../../../../core/types.ts'
import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { summarizing } from '../../helpers/summarizing.ts'

/** The index is exact up to this many summaries. */
const exactUpTo = 1000
/** What the column was made for. */
const dimensions = 1536

const everything = 1_000_000
const recalledByDefault = 5

const lengthOf = ({ summary }: Recalled) => Math.hypot(...(summary.embedding ?? []))

/** A recall that ranks everything in its own way. */
function ranking(rank: (all: Recalled[], query: Float32Array | readonly number[]) => Recalled[]) {
  return (sound: FullStore): Partial<FullStore> => ({
    async recall(session, query, options) {
      const all = await sound.recall(session, query, { ...options, k: everything })
      return rank(all, query).slice(0, options?.k ?? recalledByDefault)
    },
  })
}

function knownByBirth<R extends Pick<Reading, 'state'>>(reading: R): R {
  const { state } = reading
  return { ...reading, state: state && { ...state, log: state.birth } }
}

export const recalling: Goldfish[] = [
  {
    name: 'a-sweep-empties-the-index',
    breaks: ['recall.2'],
    story: 'The sweep removes rows by the thousand and their summaries from the index, including those that stay.',
    store: (sound, bowl) => {
      const swept = shared(bowl, 'swept', () => new Set<string>())
      return {
        sweep(session, ...given) {
          if (session !== undefined) swept.add(session)
          return sound.sweep(session, ...given)
        },
        recall: async (session, ...given) => (swept.has(session) ? [] : sound.recall(session, ...given)),
      }
    },
  },
  {
    name: 'recall-by-dot-product',
    breaks: ['recall.1'],
    story: 'The vectors are not normalized, so the longest summary wins every time.',
    store: ranking((all) => all.sort((a, b) => b.score * lengthOf(b) - a.score * lengthOf(a))),
  },
  {
    name: 'recall-in-the-order-of-writing',
    breaks: ['recall.1'],
    story: 'The nearest are found, but returned in table order.',
    store: (sound) => ({
      async recall(session, query, options) {
        return (await sound.recall(session, query, options)).sort((a, b) => a.seq - b.seq)
      },
    }),
  },
  {
    name: 'recall-approximates',
    breaks: ['recall.1'],
    story: 'Above a thousand summaries, an index takes over that searches only half of its cells.',
    store: ranking((all) => (all.length > exactUpTo ? all.filter(({ seq }) => seq % 2 === 0) : all)),
  },
  {
    name: 'recall-of-the-newest',
    breaks: ['recall.1'],
    story: 'Only the newest thousand summaries are compared. What the user said first is never found.',
    store: ranking((all) => {
      const newest = all.map(({ seq }) => seq).sort((a, b) => b - a)
      return all.filter(({ seq }) => seq >= (newest[exactUpTo - 1] ?? 0))
    }),
  },
  {
    name: 'recall-hides-the-opposite',
    breaks: ['recall.1'],
    story: 'Scores below zero count as "no match", so fewer come back than requested.',
    store: ranking((all) => all.filter(({ score }) => score >= 0)),
  },
  {
    name: 'recall-finds-what-was-rolled-back',
    breaks: ['recall.2'],
    story: 'The vector search ignores the path. The agent remembers what the user took back.',
    store: (sound) => ({
      async recall(session, query, options) {
        const found = await sound.recall(session, query, options)
        for (const { id, automatic } of options?.at ? [] : await sound.listSnapshots(session)) {
          if (automatic) found.push(...(await sound.recall(session, query, { ...options, at: id })))
        }
        const unique = new Map(found.map((one) => [one.seq, one]))
        return [...unique.values()].sort((a, b) => b.score - a.score).slice(0, options?.k ?? recalledByDefault)
      },
    }),
  },
  {
    name: 'recall-ignores-the-snapshot',
    breaks: ['recall.2'],
    story: 'recall takes `at` like every other read, but searches the present.',
    store: (sound) => ({
      async recall(session, query, options) {
        if (options?.at !== undefined) await sound.getEntries(session, { at: options.at })
        return sound.recall(session, query, { ...options, at: undefined })
      },
    }),
  },
  {
    name: 'recall-of-all-users',
    breaks: ['recall.2'],
    story: "One vector index for everybody: a customer's summary turns up in another customer's answer.",
    store: (sound) => ({
      async recall(session, query, options) {
        const found = await sound.recall(session, query, options)
        if (found.length === 0 || options?.at !== undefined) return found
        for (const { id } of (await sound.listSessions()).sessions) {
          if (id !== session) found.push(...(await sound.recall(id, query, options).catch(() => [])))
        }
        return found.sort((a, b) => b.score - a.score).slice(0, options?.k ?? recalledByDefault)
      },
    }),
  },
  {
    name: 'recall-from-a-stale-index',
    breaks: ['recall.2'],
    story: 'The in-memory index is keyed by the name of a session. The next session with that name inherits it.',
    store: (sound) => {
      const known = new Map<string, Map<number, Recalled>>()
      return {
        async recall(session, query, options) {
          const epoch = (await sound.sessionInfo(session))?.epoch.split('.')[1]
          const all = await sound.recall(session, query, { ...options, k: everything })
          if (options?.at !== undefined) return all.slice(0, options.k ?? recalledByDefault)
          const index = known.get(`${session} ${epoch}`) ?? new Map<number, Recalled>()
          known.set(`${session} ${epoch}`, index)
          for (const one of all) if (!index.has(one.seq)) index.set(one.seq, one)
          const found = all.length === 0 ? [] : [...index.values()]
          const fresh = new Map(all.map((one) => [one.seq, one]))
          const scored = found.map((one) => ({ ...one, score: fresh.get(one.seq)?.score ?? one.score }))
          return scored.sort((a, b) => b.score - a.score).slice(0, options?.k ?? recalledByDefault)
        },
      }
    },
  },
  {
    name: 'recall-skips-other-dimensions',
    breaks: ['recall.3'],
    story: 'After the embedding model changes, nothing matches anymore, and recall returns nothing.',
    store: (sound) => ({
      recall: (session, query, options) =>
        sound.recall(session, query, options).catch((error) => {
          if (error.code === 'DIMENSION_MISMATCH') return []
          throw error
        }),
    }),
  },
  {
    name: 'embedding-loses-minus-zero',
    breaks: ['recall.4'],
    story: 'Embeddings go through JSON, where -0 is 0.',
    store: (sound) => ({
      addSummary: (session, summary, options) => {
        const { embedding } = summary
        if (!(embedding instanceof Float32Array)) return sound.addSummary(session, summary, options)
        const carried = embedding.map((x) => (x === 0 ? 0 : x))
        return sound.addSummary(session, { ...summary, embedding: carried }, options)
      },
    }),
  },
  {
    name: 'embedding-cut-at-1536',
    breaks: ['recall.4'],
    story: 'The column was made for 1,536 dimensions, and the new model has 3,072.',
    store: summarizing(async (summarize, turns) => {
      const made = await summarize(turns)
      if (typeof made !== 'object' || made === null || !made.embedding) return made
      return { ...made, embedding: made.embedding.map((x, index) => (index < dimensions ? x : 0)) }
    }),
  },
  {
    name: 'recall-knows-the-session-by-its-birth',
    breaks: ['recall.5', 'interleaving.2'],
    story:
      'The session was embedded again elsewhere and imported. The cache goes by the identity it was created with, so the old vectors are used.',
    backend: (sound) => ({
      read: async (session, want, deadline) => knownByBirth(await sound.read(session, want, deadline)),
      snapshots: async (session, deadline) => knownByBirth(await sound.snapshots(session, deadline)),
    }),
  },
]
