import type { StoredEntry } from '../../../../core/backend.ts'
import { decodeEntry } from '../../../../core/decode-entry.ts'
import { encodeEntry } from '../../../../core/encode-entry.ts'
import type { Entry } from '../../../../core/entries.ts'
import type { FullStore, StoreMethod } from '../../../case.ts'
import { turns } from '../../helpers/samples.ts'

/** Which of two handles an operation runs on; used in the names of what it creates. */
export type Who = 'a' | 'b'

export interface PairedOperation {
  readonly name: string
  /** Resolves to what it returned, without what differs between runs. */
  readonly act: (store: FullStore, session: string, who: Who) => Promise<unknown>
  /** The session that it makes of another. */
  readonly makes?: (session: string, who: Who) => string
  /** Whether it needs entries that nobody reads anymore. */
  readonly sweeps?: true
}

/** Whatever changes a session, or takes from it what another session begins with. */
export const pairedOperations: readonly PairedOperation[] = [
  one('addMessages', async (store, session, who) => {
    return (await store.addMessages(session, turns(2, who === 'a' ? 60 : 70))).seqs.length
  }),
  one('recordToolCall', async (store, session, who) => {
    await store.recordToolCall(session, { id: `call of ${who}`, name: 'tool' })
  }),
  one('addSummary', async (store, session, who) => {
    await store.addSummary(session, { text: `summary of ${who}`, embedding: [1, 1] })
  }),
  one('addEntries', async (store, session, who) => {
    const record = { type: 'state', who }
    const message = { role: 'user' as const, content: `with a record, by ${who}` }
    const entries = [
      { kind: 'record' as const, record },
      { kind: 'message' as const, message },
    ]
    return (await store.addEntries(session, entries)).seqs.length
  }),
  one('trim', async (store, session, who) => {
    return (await store.trim(session, { maxEntries: who === 'a' ? 3 : 5 })).removed
  }),
  one('clear', async (store, session) => {
    await store.clear(session)
  }),
  one('compact', async (store, session, who) => {
    const summarize = (replaced: readonly unknown[]) => `${replaced.length} turns, by ${who}`
    return (await store.compact(session, { keep: 3, summarize })).removed
  }),
  one('saveSnapshot', async (store, session, who) => (await store.saveSnapshot(session, { id: `of ${who}` })).label),
  one('rollbackToSnapshot', async (store, session, who) => {
    await store.rollbackToSnapshot(session, who === 'a' ? 'first' : 'second')
  }),
  {
    ...one('deleteSnapshot', async (store, session, who) => {
      await store.deleteSnapshot(session, who === 'a' ? 'second' : 'first')
    }),
    sweeps: true,
  },
  one('rewind', async (store, session, who) => {
    return (await store.rewind(session, { to: who === 'a' ? 4 : 6 })).removed.map(contentOf)
  }),
  {
    name: 'rewind that adds',
    async act(store, session, who) {
      const state = { kind: 'record' as const, record: { type: `by ${who}` } }
      const [first, second] = turns(2, 95).map((message) => ({ kind: 'message' as const, message }))
      const end =
        who === 'a' ? { add: turns(2, 90) } : { entries: [state, first, second].filter((one) => one !== undefined) }
      const { removed, seqs, snapshot } = await store.rewind(session, {
        before: who === 'a' ? 5 : 7,
        ...end,
        snapshot: { id: `left by ${who}` },
      })
      return [removed.map(contentOf), seqs.length, snapshot?.id]
    },
  },
  {
    ...one('fork', async (store, session, who) => (await store.fork(session, forkOf(session, who))).entries),
    makes: forkOf,
  },
  {
    name: 'fork to an entry',
    async act(store, session, who) {
      return (await store.fork(session, forkOf(session, who), { to: who === 'a' ? 5 : 7 })).entries
    },
    makes: forkOf,
  },
  one('expire', async (store, session, who) => {
    return (await store.expire(session, { at: who === 'a' ? 4_000_000_000_000 : 4_100_000_000_000 }))?.expiresAt
  }),
  one('describe', async (store, session, who) => {
    await store.describe(
      session,
      who === 'a' ? { owner: 'a', title: 'by a' } : { title: 'by b', metadata: { by: 'b' } },
    )
  }),
  one('deleteSession', (store, session) => store.deleteSession(session)),
  {
    ...one('sweep', async (store, session) => {
      await store.sweep(session)
    }),
    sweeps: true,
  },
  {
    name: 'exportSession',
    async act(store, session, who) {
      const copy = await store.exportSession(session)
      return (await store.importSession({ ...copy, id: copyOf(session, who) })).entries
    },
    makes: copyOf,
  },
]

/** Several in a row, for one that they interrupt. */
export const interruptions: readonly PairedOperation[] = [
  ...pairedOperations,
  {
    name: 'deleteSession and addMessages',
    async act(store, session) {
      await store.deleteSession(session)
      await store.addMessages(session, turns(30, 80))
    },
  },
  {
    name: 'deleteSession and importSession of a changed copy',
    async act(store, session) {
      const copy = await store.exportSession(session)
      await store.deleteSession(session)
      await store.importSession({ ...copy, entries: copy.entries.map(changed) })
    },
  },
]

/** What an operation added during the case is left as it is: the copy has the same versions, so it may be added to either. */
function changed(stored: StoredEntry): StoredEntry {
  const entry = decodeEntry(stored)
  if (entry.kind === 'message') {
    if (isAddedByOne(entry.message.content)) return stored
    const message = { ...entry.message, content: `${entry.message.content}, changed` }
    return { ...stored, ...encodeEntry('message', message, 'message') }
  }
  if (stored.kind !== 'summary') return stored
  const summary = { text: 'changed', embedding: Float32Array.of(-1, 5) }
  return { ...stored, ...encodeEntry('summary', summary, 'summary') }
}

function isAddedByOne(content: unknown): boolean {
  return /^turn [6-9]\d$/.test(String(content))
}

function one(name: StoreMethod, act: PairedOperation['act']): PairedOperation {
  return { name, act }
}

function forkOf(session: string, who: Who): string {
  return `${session}, forked by ${who}`
}

function copyOf(session: string, who: Who): string {
  return `${session}, copied by ${who}`
}

/** An entry without its seq, its time, and the seqs that a summary covers. */
export function contentOf(entry: Entry): unknown {
  if (entry.kind === 'message') return entry.message
  if (entry.kind === 'toolCall') return entry.toolCall
  if (entry.kind === 'record') return entry.record
  const { text, embedding } = entry.summary
  return { standsIn: entry.standsIn, text, embedding: embedding && [...embedding] }
}
