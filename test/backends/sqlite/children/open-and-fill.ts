import { MemoryStoreBackendError, openMemory } from '../../../../src/index.ts'

/** Opens a memory, adds turns of 50 KB until one fails, and tells how far it came and how it ended. */
const { url, most, uid } = JSON.parse(process.argv[2] ?? '{}') as { url: string; most: number; uid: number | null }

if (uid !== null) process.setuid?.(uid)
let acknowledged = 0
try {
  const memory = await openMemory(url)
  for (; acknowledged < most; acknowledged++) {
    await memory.addMessages('s', [{ role: 'user', content: `${acknowledged} ${'x'.repeat(50_000)}` }])
  }
  await memory.close()
  process.send?.({ acknowledged, code: null })
} catch (error) {
  const { code, applied, message } = error as MemoryStoreBackendError
  process.send?.({ acknowledged, code, applied, message, isTyped: error instanceof MemoryStoreBackendError })
}
process.disconnect?.()
process.exit()
