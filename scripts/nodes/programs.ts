/** Opens a file and prints what comes of it. */
export const openFile = `
import { openMemory } from 'unforget'
const memory = await openMemory('sqlite:opened.db').catch((error) => error)
console.log(memory instanceof Error ? \`\${memory.code}: \${memory.message}\` : 'opened')
await memory.close?.()
`

/** Drops prepared statements under garbage collection, which made a driver abort. */
export const dropStatements = `
import { mkdtempSync, rmSync } from 'node:fs'
import { openMemory } from 'unforget'
import Database from 'better-sqlite3'
const database = new Database(':memory:')
for (let round = 0; round < 200; round++) {
  for (let index = 0; index < 500; index++) database.prepare('SELECT ' + index).get()
  globalThis.gc()
}
const folder = mkdtempSync('dropped-')
for (let index = 0; index < 50; index++) {
  const memory = await openMemory('sqlite:' + folder + '/' + index + '.db')
  await memory.addMessages('s', [{ role: 'user', content: 'x' }])
  await memory.getHistory('s')
  if (index % 2 === 0) await memory.close()
  globalThis.gc()
}
rmSync(folder, { recursive: true, force: true })
console.log('dropped')
`
