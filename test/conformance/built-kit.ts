import { requireFreshBuild } from '../support/fresh-build.ts'

requireFreshBuild()

/** The built kit: the processes that its cases start load it several times as fast as its sources. */
async function built<Module>(file: string): Promise<Module> {
  return (await import(new URL(`../../dist/${file}`, import.meta.url).href)) as Module
}

export const { allCases } = await built<typeof import('../../src/conformance/cases/all-cases.ts')>(
  'conformance/cases/all-cases.js',
)
export const { findGoldfish } = await built<typeof import('../../src/conformance/goldfish/all-goldfish.ts')>(
  'conformance/goldfish/all-goldfish.js',
)
export const { goldfishModule } = await built<typeof import('../../src/conformance/goldfish/goldfish.store.ts')>(
  'conformance/goldfish/goldfish.store.js',
)
export const { defineGoldfish } = await built<typeof import('../../src/conformance/goldfish/open-goldfish.ts')>(
  'conformance/goldfish/open-goldfish.js',
)
export const { loadStore } = await built<typeof import('../../src/conformance/running/child/load-store.ts')>(
  'conformance/running/child/load-store.js',
)
export const { Observation } = await built<typeof import('../../src/conformance/running/child/observe.ts')>(
  'conformance/running/child/observe.js',
)
export const { lookAt, missingFor } =
  await built<typeof import('../../src/conformance/offers.ts')>('conformance/offers.js')
export const { runCase } = await built<typeof import('../../src/conformance/running/child/run-case.ts')>(
  'conformance/running/child/run-case.js',
)
export const { urlStoreModule } =
  await built<typeof import('../../src/cli/prove/url.store.ts')>('cli/prove/url.store.js')
