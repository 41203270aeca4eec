import { writeFile } from 'node:fs/promises'
import { neededMethodsFile, seeCalledMethods } from '../test/conformance/needed-methods.ts'

/** Runs every case once on our own stores and writes which methods each calls. */
const seen = await seeCalledMethods()
for (const [id, { failure }] of seen) if (failure !== null) throw new Error(`${id} failed: ${failure}`)
await writeFile(new URL('../src/conformance/cases/needed-methods.ts', import.meta.url), neededMethodsFile(seen))
