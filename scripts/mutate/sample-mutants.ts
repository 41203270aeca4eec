import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findMutants, type Mutant } from './find-mutants.ts'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** Where the reference store begins. What it does not load, such as what only other backends use, is no part of it. */
const entrances = ['core/store-on.js', 'backends/memory/memory-backend.js']

/** The files of the reference store: core and the memory backend, as they are built. */
function filesOfTheStore(): string[] {
  const found = new Set(entrances)
  for (const file of found) {
    const imports = readFileSync(join(dist, file), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)
    for (const [, path = ''] of imports) found.add(normalize(join(dirname(file), path)))
  }
  return [...found].sort((one, other) => (one < other ? -1 : 1))
}

/** Every mutant of the reference store. */
export function allMutants(): Mutant[] {
  return filesOfTheStore().flatMap((file) => findMutants(file, readFileSync(join(dist, file), 'utf8')))
}

/** The same list in an order that follows from the seed: its beginning is a fair sample. */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const items = [...list]
  let state = seed >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[items[last], items[other]] = [items[other] as T, items[last] as T]
  }
  return items
}
