import { join } from 'node:path'
import { type MemoryStore, openMemory, type SessionCopy } from 'unforget'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** 2026-01-02 10:00 in UTC, and a minute for each entry. */
const begin = Date.UTC(2026, 0, 2, 10)

export const hostile = '\x1b[2J\x1b]0;owned\x07\u202egnp.exe\u009b31m\r\0'

/** Makes a session in memory and writes it into the store with times and versions that are always the same. */
export async function plant(
  store: MemoryStore,
  id: string,
  fill: (memory: MemoryStore) => Promise<unknown>,
): Promise<void> {
  await using memory = await openMemory('memory:')
  await fill(memory)
  const { head, entries, epochs, snapshots, ...copy } = await memory.exportSession(id)
  const fixed: SessionCopy = {
    ...copy,
    head: {
      ...head,
      birth: 'birth',
      nonce: 'nonce',
      epochNonce: 'path',
      takenBackNonce: 'path',
      createdAt: begin,
      updatedAt: begin + 60_000 * head.end,
      expiresAt: head.expiresAt === null ? null : Date.UTC(2126, 0, 2),
    },
    epochs: epochs.map((epoch) => ({ ...epoch, at: begin })),
    entries: entries.map((entry) => ({ ...entry, at: begin + 60_000 * entry.seq })),
    snapshots: snapshots.map((snapshot) => ({ ...snapshot, at: begin + 60_000 * snapshot.end })),
  }
  await store.importSession(fixed)
}

/** A folder with `agent.db`: a session of a user with two snapshots, one whose names and texts are of many scripts, and perhaps a hostile one. */
export async function plantedStore({ withHostile = true } = {}): Promise<{ cwd: string; file: string }> {
  const cwd = await temporaryFolder()
  const file = join(cwd, 'agent.db')
  await using store = await openMemory(`sqlite:${file}`)
  await plant(store, 'user-42', async (memory) => {
    await memory.addMessages('user-42', [
      { role: 'user', content: 'My name is Wang, and I would like my money back for the last order, please.' },
      {
        role: 'assistant',
        content: 'Let me look.',
        toolCalls: [{ id: 'c1', name: 'find_order', arguments: { user: 42 } }],
      },
      { role: 'tool', toolCallId: 'c1', content: '{"order":7}' },
    ])
    await memory.recordToolCall('user-42', {
      id: 'c1',
      name: 'find_order',
      arguments: { user: 42 },
      result: { order: 7 },
    })
    await memory.saveSnapshot('user-42', { id: 'before', label: 'before the refund' })
    await memory.addMessages('user-42', [{ role: 'assistant', content: 'Refunded.' }])
    await memory.addSummary('user-42', { text: 'Wang got a refund', embedding: [0.5, 0.25] })
    await memory.saveSnapshot('user-42', { id: 'after' })
  })
  await plant(store, '会话 🐟', async (memory) => {
    await memory.addMessages('会话 🐟', [
      {
        role: 'user',
        content: '我叫王小明，住在北京。👨‍👩‍👧‍👦 はじめまして、よろしくお願いします。 cafe\u0301 हिन्दी 한국어 🇺🇳 ❤️',
      },
    ])
    await memory.expire('会话 🐟', { ttl: 60_000 })
  })
  if (!withHostile) return { cwd, file }
  await plant(store, `evil ${hostile}`, (memory) =>
    memory.addMessages(`evil ${hostile}`, [{ role: 'user', content: `one ${hostile}\ntwo\tthree` }]),
  )
  return { cwd, file }
}
