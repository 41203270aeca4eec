import { urlStoreModule } from '../../src/cli/url.store.ts'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { loadStore } from '../../src/conformance/load-store.ts'
import { Observation } from '../../src/conformance/observe.ts'
import { lookAt, missingFor } from '../../src/conformance/offers.ts'
import { runCase } from '../../src/conformance/run-case.ts'

/** Sends, for each case, the methods it called on a store that offers all it needs, and whether it passed. */
const memory = urlStoreModule('memory:')
const file = urlStoreModule('sqlite:')
const offer = await lookAt(await loadStore(memory), 'look')
for (const one of allCases) {
  const module = missingFor(one, offer).length === 0 ? memory : file
  const observation = new Observation()
  const place = { definition: await loadStore(module), module }
  const failure = await runCase(one, place, { seed: 7, deadline: 60_000 }, observation)
  process.send?.([one.id, { called: [...observation.methods], failure: failure?.message ?? null }])
}
process.disconnect()
