import { openMemory } from 'unforget'
import { plantedStore } from './planted-store.ts'

/** A store in which every part of a session has something that is easy to lose. */
export async function richStore(): Promise<{ cwd: string; file: string }> {
  const planted = await plantedStore()
  await using memory = await openMemory(`sqlite:${planted.file}`)
  await memory.addMessages('rich', [
    { role: 'user', content: 'a\0b \ud800 \u2028 \u009b', data: new Uint8Array([0, 255]), __proto__x: null },
    { role: 'assistant', content: [{ type: 'text', text: 'x' }], metadata: { deep: [[[{ a: -1.5e-9 }]]] } },
  ])
  await memory.addSummary('rich', { text: 'sum', embedding: Float32Array.of(0.1, -0, 3e-45) })
  await memory.saveSnapshot('rich', { id: 'p\0', label: 'lone \udfff' })
  await memory.addMessages('rich', [{ role: 'user', content: 'left' }])
  await memory.rollbackToSnapshot('rich', 'p\0')
  await memory.compact('rich', { keep: 0, summarize: () => 'compacted' })
  await memory.expire('rich', { ttl: 1e9 + 0.5 })
  return planted
}
