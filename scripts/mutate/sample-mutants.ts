import { createHash } from 'node:crypto'
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

/**
 * The mutants in an order that follows from the seed and from what each changes: its beginning is a fair sample, and stays the same but for
 * what was changed in the store.
 */
export function shuffled(mutants: readonly Mutant[], seed: number): Mutant[] {
  const seen = new Map<string, number>()
  const ranked = mutants.map((mutant) => {
    const { file, code, original, mutated } = mutant
    const change = JSON.stringify([file, code.trim(), original, mutated])
    const times = (seen.get(change) ?? 0) + 1
    seen.set(change, times)
    return { mutant, rank: createHash('sha256').update(`${seed} ${times} ${change}`).digest('hex') }
  })
  return ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ mutant }) => mutant)
}
