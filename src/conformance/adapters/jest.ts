import { type DescribeOptions, describeStoreWith, type TestRunner } from './describe-store.ts'

/** What Jest puts into the global scope of a test file. */
interface JestGlobals {
  describe(name: string, body: () => void): void
  test: ((name: string, body: () => Promise<void>, timeout: number) => void) & {
    skip(name: string, body: () => void): void
  }
  afterAll(body: () => Promise<void>, timeout: number): void
}

function runner(): TestRunner {
  const { describe, test, afterAll } = globalThis as unknown as Partial<JestGlobals>
  if (!describe || !test || !afterAll) {
    throw new Error('unforget/conformance/jest is for test files of Jest, with its globals (injectGlobals)')
  }
  return { describe, test, afterAll, skip: (name) => test.skip(name, () => {}) }
}

/** Proves the store that a module exports: each case is a test of Jest with its id in the name. */
export function describeStore(module: URL, options: DescribeOptions = {}): void {
  describeStoreWith(runner(), module, options)
}

export type { DescribeOptions }
