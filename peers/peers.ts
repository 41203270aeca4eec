import type { Peer } from './finding.ts'
import { fileSystem } from './findings/file-system.ts'
import { inMemory } from './findings/in-memory.ts'
import { ipfsDatastore } from './findings/ipfs-datastore.ts'
import { redis } from './findings/redis.ts'

const memorySession: Peer = {
  id: 'openai-agents-memory',
  name: 'OpenAI Agents `MemorySession`',
  from: '@openai/agents-core',
  packages: ['@openai/agents-core'],
  about: [
    'Its documentation: "Simple in-memory session store intended for demos or tests. Not recommended for production use."',
    'A session object is one conversation. The store module maps session ids to objects, so results about isolation are about that module.',
  ],
  findings: [],
}

/** Every published store that is proved. */
export const peers: readonly Peer[] = [inMemory, fileSystem, ipfsDatastore, redis, memorySession]
