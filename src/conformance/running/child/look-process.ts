import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../plain/message-of.ts'
import { type HostArgument, type Looked, lookedFile } from '../host-protocol.ts'
import { loadStore } from './load-store.ts'
import { look } from './look.ts'

/** Looks at a store once and leaves what it saw as a file, for `lookSync` at the other end. */
const { module, folder } = JSON.parse(process.argv[2] ?? '') as HostArgument

async function lookOnce(): Promise<Looked> {
  try {
    const definition = await loadStore(new URL(module))
    return { description: await look(definition, join(folder, 'first-look')), problem: null }
  } catch (error) {
    return { description: null, problem: messageOf(error) }
  }
}

writeFileSync(join(folder, lookedFile), JSON.stringify(await lookOnce()))
process.exit(0)
