import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openMemory } from 'unforget'
import { schemaVersion } from '../../../../src/backends/sqlite/schema.ts'
import { writeGolden } from './content.ts'

/** Writes the golden file of the schema as it is now. To be run once for each version, with `npx tsx`, when it is released, and never again. */
const file = fileURLToPath(new URL(`./schema-${schemaVersion}.db`, import.meta.url))
if (existsSync(file)) throw new Error(`${file} exists: a golden file is never written again`)
const memory = await openMemory(`sqlite:${file}`)
await writeGolden(memory)
await memory.close()
