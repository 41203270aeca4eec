import type { EncodedEntry, EpochCause, SessionAbout, SessionContent, StoredEntry } from '../../../src/core/backend.ts'
import { encodeEntry } from '../../../src/core/encode-entry.ts'
import { lastMoment } from '../../../src/core/options.ts'

/** Texts that a server may read as something else. */
const odd = 'é\u0000 \u2028"\\ $1 %s 😀'

export const entries: readonly EncodedEntry[] = [
  encodeEntry('message', { role: 'user', content: 'plain' }, 'message'),
  encodeEntry('message', { role: 'assistant', content: odd }, 'message'),
  encodeEntry('message', { role: 'user', content: '' }, 'message'),
  encodeEntry(
    'message',
    { role: 'user', content: 'with bytes', metadata: { raw: Uint8Array.of(0, 255, 10, 13) } },
    'message',
  ),
  encodeEntry('toolCall', { id: 'c', name: 'read', result: odd }, 'toolCall'),
  encodeEntry('summary', { text: odd, embedding: [0.5, -1] }, 'summary'),
  encodeEntry('summary', { text: 'no embedding' }, 'summary'),
  encodeEntry('compaction', { text: 'instead of turns' }, 'compaction'),
  encodeEntry('record', { type: 'checkpoint', state: odd }, 'record'),
]

/** How many of them are messages without bytes. */
export const plainEntries = 3

export const snapshotIds: readonly string[] = ['a', 'b', 'automatic', `s:${odd}`]
export const labels: readonly (string | null)[] = [null, '', 'before', `${odd}\ud800`]
export const answers: readonly string[] = ['null', '[[1,2],[3,null]]', `=${odd}`]
export const causes: readonly EpochCause[] = ['trim', 'rollback', 'compact', 'rewind', 'clear']
export const owners: readonly (string | null)[] = [null, 'ann', `bob ${odd}`]
export const titles: readonly (string | null)[] = [null, '', `${odd}\ud800`]
export const metadata: readonly (string | null)[] = [null, '{}', JSON.stringify({ b: 1, a: [odd, '\ud800'] })]
/** Versions and epochs that no store ever gave out. */
export const oddTokens: readonly string[] = ['-', 'x.1.x', odd, '\ud800']

/** Times to live that are far longer than a test, and one that ends at once. */
export const ttls: readonly number[] = [3_600_000, 7_200_000.25, lastMoment / 2, 1e-7]
export const ends: readonly number[] = [0.5, 1_000_000_000_000, 4_102_444_800_000.5, lastMoment]
/** The moments that do not depend on when a test runs. */
export const moments: ReadonlySet<number> = new Set([...ends.map(Math.ceil), 1_600_000_000_000])
const long = 1_600_000_000_000

const noAbout: SessionAbout = { owner: null, title: null, metadata: null }
const fromFirst = { cause: null, at: null }

const head = {
  createdAt: long,
  updatedAt: long,
  ttl: null,
  ownTtl: false,
  expiresAt: null,
  takenBack: 1,
  takenBackNonce: 't',
}

function storedAt(seqs: readonly number[], kinds = entries.length): StoredEntry[] {
  return seqs.map((seq) => ({ ...(entries[seq % kinds] as EncodedEntry), seq, at: long }))
}

/**
 * Sessions as they may come from elsewhere, at counts where something happens: 64 and 256 operations, and numbers beyond 32 bits. A session without summaries
 * takes another way on Redis.
 */
export const copies: readonly SessionContent[] = [
  {
    head: { ...head, birth: 'from-0', counter: 1, nonce: 'nonce-0', epoch: 1, epochNonce: 'from-0', end: 0 },
    epochs: [{ number: 1, path: [[1, null]], ...fromFirst }],
    snapshots: [],
    entries: [],
    about: noAbout,
  },
  ...[58, 250, 506].map((counter) => ({
    head: { ...head, birth: `from-${counter}`, counter, nonce: 'n', epoch: 3, epochNonce: 'e_3', end: 9 },
    epochs: [
      { number: 1, path: [[1, null]] as const, cause: 'begin' as const, at: long },
      {
        number: 3,
        ...fromFirst,
        path: [
          [6, 7],
          [1, 2],
          [9, null],
        ] as const,
      },
    ],
    snapshots: [
      { id: 'a', label: labels[3] ?? null, automatic: false, epoch: 1, end: 4, at: long, number: 5 },
      { id: 'automatic', label: null, automatic: true, epoch: 1, end: 3, at: long, number: 7 },
      { id: 'left', label: null, automatic: true, epoch: 3, end: 9, at: long, number: 9 },
    ],
    entries: storedAt([1, 2, 3, 4, 6, 7, 9], counter === 58 ? entries.length : plainEntries),
    about: { owner: null, title: titles[counter % 3] ?? null, metadata: metadata[counter % 3] ?? null },
  })),
  {
    head: { ...head, birth: 'far', counter: 2 ** 50, nonce: 'f', epoch: 2 ** 40, epochNonce: 'e', end: 2 ** 51 },
    epochs: [
      {
        number: 2 ** 40,
        ...fromFirst,
        path: [
          [2, 2],
          [2 ** 51 - 1, null],
        ],
      },
    ],
    snapshots: [{ id: 'b', label: '', automatic: false, epoch: 2 ** 40, end: 2 ** 51, at: long, number: 2 ** 49 }],
    entries: storedAt([2, 2 ** 51 - 1, 2 ** 51]),
    about: noAbout,
  },
]

/** One of a list, whatever the number. */
export function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}
