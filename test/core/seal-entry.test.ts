import { expect, test } from 'vitest'
import { MemoryBackend } from '../../src/backends/memory/memory-backend.ts'
import type { EncodedEntry, SessionCopy, StoredEntry } from '../../src/core/backend.ts'
import { decodeEntry } from '../../src/core/decode-entry.ts'
import { encodeEntry } from '../../src/core/encode-entry.ts'
import { MemoryStore } from '../../src/core/memory-store.ts'
import { digestable } from '../../src/core/operation.ts'
import { entryFormats, jsonOf, resealEntry, sealEntry, uncheckedFormats } from '../../src/core/seal-entry.ts'

const message = { role: 'user', content: 'Wang, "王" \ud83d\ude00 \0', metadata: { lone: '\ud800' } }
const entries: EncodedEntry[] = [
  encodeEntry('message', message, 'message'),
  encodeEntry('message', { role: 'user', content: 'x', data: new Uint8Array([255, 0, 254]) }, 'message'),
  encodeEntry('toolCall', { id: 'c', name: 'n', result: 1 }, 'toolCall'),
  encodeEntry('summary', { text: 'sum', embedding: Float32Array.of(1, -0, 0.1) }, 'summary'),
  encodeEntry('compaction', { text: 'sum' }, 'summary'),
]

/** As 0.1 wrote it. */
function unchecked(entry: EncodedEntry): EncodedEntry {
  const format = entry.bytes === null ? uncheckedFormats.plain : uncheckedFormats.withBytes
  return { ...entry, format, body: jsonOf(entry) }
}

const stored = (entry: EncodedEntry): StoredEntry => ({ seq: 1, at: 1, ...entry })

function* flips(bytes: Uint8Array): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const copy = Buffer.from(bytes)
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    yield copy
  }
}

test.each(entries.map((entry) => [entry.kind, entry] as const))(
  'loss.6: any bit of a stored %s that changes is noticed',
  (_kind, entry) => {
    expect(() => decodeEntry(stored(entry))).not.toThrow()
    expect(JSON.parse(entry.body)).toEqual([JSON.parse(jsonOf(entry)), expect.stringMatching(/^[0-9a-f]{8}$/)])
    for (const body of flips(Buffer.from(entry.body))) {
      expect(() => decodeEntry(stored({ ...entry, body: body.toString() }))).toThrow()
    }
    for (const bytes of entry.bytes === null ? [] : flips(entry.bytes)) {
      expect(() => decodeEntry(stored({ ...entry, bytes }))).toThrow(/checksum/)
    }
    for (const kind of flips(Buffer.from(entry.kind))) {
      expect(() => decodeEntry(stored({ ...entry, kind: kind.toString() as 'message' }))).toThrow()
    }
    for (const format of [0, 1, 2, 3, 4, 5, 6, 7, 99].filter((one) => one !== entry.format)) {
      expect(() => decodeEntry(stored({ ...entry, format }))).toThrow()
    }
    for (const kind of ['message', 'toolCall', 'summary', 'compaction'] as const) {
      if (kind !== entry.kind) expect(() => decodeEntry(stored({ ...entry, kind }))).toThrow(/checksum/)
    }
    expect(() => decodeEntry(stored({ ...entry, bytes: entry.bytes === null ? new Uint8Array(0) : null }))).toThrow()
    expect(() => decodeEntry(stored({ ...entry, body: '' }))).toThrow(/checksum/)
  },
)

test('entries of 0.1 are read as they were written, and written anew with a checksum', () => {
  for (const entry of entries) {
    const old = unchecked(entry)
    expect(decodeEntry(stored(old))).toEqual(decodeEntry(stored(entry)))
    expect(resealEntry(old)).toEqual(entry)
    expect(resealEntry(entry)).toBe(entry)
    expect(digestable(old)).toEqual(digestable(entry))
  }
  const { bytes, ...withBytes } = unchecked(entries[1] as EncodedEntry)
  const oldest = { ...withBytes, bytes, format: uncheckedFormats.plain }
  expect(decodeEntry(stored(oldest))).toEqual(decodeEntry(stored(entries[1] as EncodedEntry)))
  expect(resealEntry(oldest).format).toBe(entryFormats.withBytes)
})

test('operations.1: a retry by this version of what 0.1 applied is the same operation', () => {
  const entry = encodeEntry('message', { role: 'user', content: 'x' }, 'message')
  expect(digestable(entry)).toEqual(['message', '{"role":"user","content":"x"}', null])
})

test('transfer.2: an export of 0.1 is imported with checksums, and a copy whose checksum is wrong is refused', async () => {
  const memory = new MemoryStore(new MemoryBackend())
  await memory.addMessages('s', [{ role: 'user', content: 'one' }])
  await memory.addSummary('s', { text: 'sum', embedding: [1, 2] })
  const copy = await memory.exportSession('s')
  const old: SessionCopy = {
    ...copy,
    id: 'old',
    entries: copy.entries.map((entry) => ({ ...entry, ...unchecked(entry) })),
  }
  await memory.importSession(old)
  expect((await memory.exportSession('old')).entries).toEqual(copy.entries)
  expect((await memory.exportSession('old')).entries.map(({ format }) => format)).toEqual([3, 4])
  const [first, second] = copy.entries as [StoredEntry, StoredEntry]
  const wrong = { ...first, body: first.body.replace('one', 'two') }
  await expect(memory.importSession({ ...copy, id: 'wrong', entries: [wrong, second] })).rejects.toMatchObject({
    code: 'INVALID_ENTRY',
    path: 'copy.entries[0]',
  })
})

test('a fork of what 0.1 wrote carries checksums', async () => {
  const backend = new MemoryBackend()
  const append = entries.map(unchecked)
  await backend.commit('s', { operation: { id: 'o', digest: '' }, append })
  const memory = new MemoryStore(backend)
  await memory.fork('s', 'copy')
  expect((await memory.exportSession('copy')).entries.map(({ format }) => format)).toEqual([3, 4, 3, 4, 3])
  expect((await memory.exportSession('s')).entries.map(({ format }) => format)).toEqual([1, 2, 1, 2, 1])
  expect(sealEntry('message', jsonOf(entries[0] as EncodedEntry), null)).toEqual(entries[0])
})
