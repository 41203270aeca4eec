import { requireFreshBuild } from '../support/fresh-build.ts'

requireFreshBuild()

/** As `built-kit`, for Vitest. */
const adapter: string = new URL('../../dist/conformance/adapters/vitest.js', import.meta.url).href
export const { describeStore } = (await import(adapter)) as typeof import('../../src/conformance/adapters/vitest.ts')
