import { MemoryManager } from './memory-manager.ts'
import { WipesConversation } from './wipes-conversation.ts'
import { WipesSnapshots } from './wipes-snapshots.ts'

const versions = {
  right: MemoryManager,
  'wipes-snapshots': WipesSnapshots,
  'wipes-conversation': WipesConversation,
} as const

/** The version that MEMORY_MANAGER names, so that the same tests run on the right one and on the buggy ones. */
export function chooseMemoryManager(): (typeof versions)[keyof typeof versions] {
  const name = process.env['MEMORY_MANAGER'] ?? 'right'
  if (!Object.hasOwn(versions, name)) throw new Error(`MEMORY_MANAGER is one of ${Object.keys(versions).join(', ')}`)
  return versions[name as keyof typeof versions]
}
