/** The built kit: the processes that its cases start load it several times as fast as its sources. */
async function built<Module>(file: string): Promise<Module> {
  return (await import(new URL(`../../dist/conformance/${file}`, import.meta.url).href)) as Module
}

export const { allCases } = await built<typeof import('../../src/conformance/cases/all-cases.ts')>('cases/all-cases.js')
export const { findGoldfish } =
  await built<typeof import('../../src/conformance/goldfish/all-goldfish.ts')>('goldfish/all-goldfish.js')
export const { goldfishModule } =
  await built<typeof import('../../src/conformance/goldfish/goldfish.store.ts')>('goldfish/goldfish.store.js')
export const { defineGoldfish } =
  await built<typeof import('../../src/conformance/goldfish/open-goldfish.ts')>('goldfish/open-goldfish.js')
export const { lookAt, missingFor } = await built<typeof import('../../src/conformance/offers.ts')>('offers.js')
export const { runCase } = await built<typeof import('../../src/conformance/run-case.ts')>('run-case.js')
