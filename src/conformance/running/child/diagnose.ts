import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { StoreDefinition } from '../../store-definition.ts'
import { problemOfShapes } from './shapes.ts'

type Handle = Partial<Record<string, (...parameters: unknown[]) => unknown>>

/** How long another handle may take to see a write before it counts as a separate memory, in milliseconds. */
const seenWithin = 1000
const session = 'first words'
const greeting = { role: 'user', content: 'hello' }

/**
 * What would make most cases fail for one reason, in a sentence: methods that return something else than the kit reads, and an `open` that
 * does not open the memory at `location`. `null` if there is no such reason. What the store rejects here is left to the cases.
 */
export async function diagnose(definition: StoreDefinition, folder: string): Promise<string | null> {
  const locations = await makeLocations(folder)
  const handles: object[] = []
  const open = async (location: string): Promise<Handle> => {
    const { endpoint } = definition
    const handle = await definition.open({ location, ...(endpoint && { endpoint }) })
    handles.push(handle)
    return handle as Handle
  }
  try {
    const store = await open(locations.first)
    const shape = await problemOfShapes((method, ...given) => store[method]?.(...given), store, session, greeting)
    if (shape !== null) return shape
    if ((await lengthIn(store)) === 0) return null
    return (await isOneForAll(open, locations)) ?? (await isOneForEach(open, definition, locations.first))
  } catch {
    return null
  } finally {
    for (const handle of handles) await ignoreFailure(() => definition.close?.(handle))
    for (const location of Object.values(locations)) await ignoreFailure(() => definition.destroy?.({ location }))
  }
}

type Locations = Record<'first' | 'sameName' | 'sameFolder', string>

/** Different from each other in the folder or in the name, as the locations of different cases are. */
async function makeLocations(folder: string): Promise<Locations> {
  const [one, other] = [join(folder, 'diagnosis-1'), join(folder, 'diagnosis-2')]
  await Promise.all([one, other].map((path) => mkdir(path, { recursive: true })))
  return { first: join(one, '1'), sameName: join(other, '1'), sameFolder: join(one, '2') }
}

async function isOneForAll(
  open: (location: string) => Promise<Handle>,
  { first, sameName, sameFolder }: Locations,
): Promise<string | null> {
  for (const [location, how] of [
    [sameName, 'in another folder'],
    [sameFolder, 'with another name in the same folder'],
  ] as const) {
    const elsewhere = await open(location)
    if ((await lengthIn(elsewhere)) === 0) continue
    return `open ignores location: what was added at ${inspect(first)} is read at ${inspect(location)}, a location ${how}. Each location must be a memory of its own; use the whole of it as the name of a file, a folder or a key prefix`
  }
  return null
}

async function isOneForEach(
  open: (location: string) => Promise<Handle>,
  definition: StoreDefinition,
  location: string,
): Promise<string | null> {
  if (definition.capabilities?.persistent === true) return null
  const second = await open(location)
  const began = performance.now()
  while ((await lengthIn(second)) === 0) {
    if (performance.now() - began > seenWithin) {
      return `open ignores location: a second handle on ${inspect(location)} does not read what the first one added there. The same location must be the same memory; keep what handles share by location, as docs/prove-your-store.md shows`
    }
    await pause(20)
  }
  return null
}

async function lengthIn(handle: Handle): Promise<number> {
  const history = await handle['getHistory']?.(session)
  return Array.isArray(history) ? history.length : 0
}

async function ignoreFailure(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // The cases close and destroy too, and report errors.
  }
}
