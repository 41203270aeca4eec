import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from '../../../plain/after.ts'
import { messageOf } from '../../../plain/message-of.ts'
import { type HostArgument, type Looked, lookedFile } from '../host-protocol.ts'
import { diagnose } from './diagnose.ts'
import { loadStore } from './load-store.ts'
import { look } from './look.ts'

/** Looks at a store once and leaves what it saw as a file, for `lookSync` at the other end. */
const { module, folder, deadline } = JSON.parse(process.argv[2] ?? '') as HostArgument & { readonly deadline: number }

function tell(looked: Looked): void {
  writeFileSync(join(folder, lookedFile), JSON.stringify(looked))
}

try {
  const definition = await loadStore(new URL(module))
  tell({ description: await look(definition, join(folder, 'first-look')), problem: null })
  // A store that hangs or ends this process from here on has been looked at all the same.
  const late = after(deadline)
  const problem = await Promise.race([diagnose(definition, folder), late.promise])
  if (problem) tell({ description: null, problem })
} catch (error) {
  tell({ description: null, problem: messageOf(error) })
}
process.exit(0)
