import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { redisServer } from '../../src/testing/servers/index.ts'
import { allCases, loadStore, lookAt, missingFor, Observation, runCase, urlStoreModule } from './built-kit.ts'

/** Sends, for each case, the methods it called on a store that offers all it needs, and whether it passed. */
await using server = await redisServer()
const folder = await mkdtemp(join(tmpdir(), 'unforget-needs-'))
const stores = await Promise.all(
  ['memory:', 'sqlite:', server.url].map(async (url, index) => {
    const module = urlStoreModule(url)
    const definition = await loadStore(module)
    return { module, definition, offer: await lookAt(definition, join(folder, `${index}`)) }
  }),
)
for (const one of allCases) {
  const place = stores.find(({ offer }) => missingFor(one, offer).length === 0)
  if (place === undefined) throw new Error(`no store of ours offers what ${one.id} needs`)
  const observation = new Observation()
  const failure = await runCase(one, place, { seed: 7, deadline: 300_000 }, observation)
  process.send?.([one.id, { called: [...observation.methods], failure: failure?.message ?? null }])
}
await rm(folder, { recursive: true, force: true })
process.disconnect()
