import { once } from 'node:events'
import { MemoryStore } from '../../src/core/memory-store.ts'
import { startProcess } from '../../src/faults/start-process.ts'

export interface Called {
  /** In the order in which `MemoryStore` has them. */
  readonly methods: readonly string[]
  /** Why the case failed; `null` if it passed. */
  readonly failure: string | null
}

const inOrder = Object.getOwnPropertyNames(MemoryStore.prototype)

/** The methods that each case calls, by its id, as seen on our own stores. */
export async function seeCalledMethods(): Promise<Map<string, Called>> {
  const seen = new Map<string, Called>()
  const child = startProcess(new URL('./needs-process.ts', import.meta.url), null)
  child.stderr?.pipe(process.stderr)
  child.on('message', ([id, { called, failure }]: [string, { called: string[]; failure: string | null }]) => {
    seen.set(id, { methods: called.sort((a, b) => inOrder.indexOf(a) - inOrder.indexOf(b)), failure })
  })
  await once(child, 'exit')
  return seen
}

/** The text of src/conformance/cases/needed-methods.ts. */
export function neededMethodsFile(seen: ReadonlyMap<string, Pick<Called, 'methods'>>): string {
  const lines = [...seen].map(([id, { methods }]) => `  '${id}': '${methods.join(' ')}',`)
  return `import type { StoreMethod } from '../case.ts'

/** Written by \`npm run needs\`, which runs the cases and sees what they call. A test compares. */
const neededMethods: Readonly<Record<string, string>> = {
${lines.join('\n')}
}

export function methodsNeededBy(id: string): StoreMethod[] {
  return (neededMethods[id]?.split(' ') ?? []) as StoreMethod[]
}
`
}
