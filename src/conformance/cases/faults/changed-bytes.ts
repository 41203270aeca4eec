import assert from 'node:assert/strict'
import type { Backend, StoredEntry } from '../../../core/backend.ts'
import type { Case, FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

type Damage = (entry: StoredEntry) => StoredEntry

const data = new Uint8Array([255, 0, 254])
const embedding = Float32Array.of(0.1, -0, 3e-45)
const places = { message: 3, withBytes: 4, toolCall: 5, summary: 6 }

/** What `filled` writes, and what the cases rely on. */
const toFill = ['faults', 'codes', 'bytes'] as const

export const changedBytes: WrittenCase[] = [
  {
    level: 'faults',
    needs: toFill,
    id: 'loss.6/every-bit-of-the-text',
    clause: 'loss.6',
    title: 'an entry with any single bit of its text changed is MEMORY_LOST',
    async run({ wrapped }) {
      for (const seq of Object.values(places)) {
        const { sound, damaged } = await filled(wrapped)
        const { body } = (await sound.exportSession('s')).entries.find((entry) => entry.seq === seq) ?? assert.fail()
        for (let place = 0; place < body.length; place += 3) {
          const store = await damaged(seq, (entry) => ({ ...entry, body: flipped(entry.body, place) }))
          await lost(store.getEntries('s'), `character ${place} of entry ${seq}`)
          if (seq <= places.withBytes) await lost(store.getHistory('s', { last: 6 }), `character ${place}`)
        }
      }
    },
  },
  {
    level: 'faults',
    needs: toFill,
    id: 'loss.6/every-way-to-read-it',
    clause: 'loss.6',
    title: 'an entry whose text, bytes or kind changed cannot be read or copied in any way, and verify lists it',
    async run({ wrapped }) {
      const changes: [seq: number, change: Damage][] = [
        [places.message, (entry) => ({ ...entry, body: entry.body.replace('turn 3', 'turn 2') })],
        [places.withBytes, (entry) => ({ ...entry, bytes: last(entry.bytes) })],
        [places.toolCall, (entry) => ({ ...entry, body: entry.body.replace('true', 'null') })],
        [places.summary, (entry) => ({ ...entry, bytes: last(entry.bytes) })],
        [places.summary, (entry) => ({ ...entry, kind: 'compaction' })],
        [places.message, (entry) => ({ ...entry, kind: 'toolCall' })],
      ]
      for (const [index, [seq, change]] of changes.entries()) {
        const { sound, damaged } = await filled(wrapped)
        const store = await damaged(seq, change)
        const what = `change ${index}`
        await lost(store.getEntries('s'), what)
        await lost(store.exportSession('s'), what)
        await lost(store.fork('s', 'copy'), what)
        if (seq <= places.withBytes) {
          await lost(store.getHistory('s'), what)
          await lost(store.getHistory('s', { maxEntries: 4 }), what)
        }
        if (seq === places.summary) await lost(store.recall('s', [1, 0, 0]), what)
        const { ok, damage } = await store.verify('s')
        assert.equal(ok, false, `${what}: verify found nothing`)
        same(
          damage.map(({ seqs }) => seqs),
          [[seq]],
        )
        assert.equal(await sound.sessionInfo('copy'), null)
        same((await sound.getHistory('s')).length, 4)
      }
    },
  },
]

/** A memory with entries of every kind, and handles on it that see one changed. */
async function filled(wrapped: Parameters<Case['run']>[0]['wrapped']) {
  let change: { seq: number; damage: Damage } | null = null
  const see = (entry: StoredEntry) => (entry.seq === change?.seq ? change.damage(entry) : entry)
  const wrap = (backend: Backend): Backend =>
    new Proxy(backend, {
      get(target, name) {
        if (name === 'read') {
          return async (...parameters: Parameters<Backend['read']>) => {
            const reading = await target.read(...parameters)
            return { ...reading, entries: reading.entries.map(see), summaries: reading.summaries.map(see) }
          }
        }
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const { store, sound } = await wrapped(wrap)
  await sound.addMessages('s', turns(3))
  await sound.addMessages('s', [{ role: 'user', content: 'bytes', data }])
  await sound.recordToolCall('s', { id: 'c', name: 'n', result: { ok: true } })
  await sound.addSummary('s', { text: 'sum', embedding })
  return {
    sound,
    async damaged(seq: number, damage: Damage): Promise<FullStore> {
      change = { seq, damage }
      return store
    },
  }
}

function flipped(text: string, place: number): string {
  return text.slice(0, place) + String.fromCharCode(text.charCodeAt(place) ^ 1) + text.slice(place + 1)
}

function last(bytes: Uint8Array | null): Uint8Array {
  const copy = new Uint8Array(bytes ?? assert.fail('there are no bytes'))
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1
  return copy
}

async function lost(read: Promise<unknown>, what: string): Promise<void> {
  await assert.rejects(read, { code: 'MEMORY_LOST' }, `${what} was read as it is`)
}
