import type { FullStore } from '../../../case.ts'
import { turns } from '../../helpers/samples.ts'

/** A session with turns, a tool call, a summary, and bytes in both. */
export async function fill(store: FullStore): Promise<void> {
  await store.addMessages('s', turns(3))
  await store.recordToolCall('s', { id: 'c', name: 'n', result: { bytes: new Uint8Array([255, 0, 254]) } })
  await store.addSummary('s', { text: 'sum', embedding: Float32Array.of(0.1, -0, 3e-45) })
}
