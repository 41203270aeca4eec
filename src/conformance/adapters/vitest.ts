import { afterAll, describe, test } from 'vitest'
import { type DescribeOptions, describeStoreWith, type TestRunner } from './describe-store.ts'

const runner: TestRunner = {
  describe: (name, body) => {
    describe.sequential(name, body)
  },
  test: (name, body, timeout) => {
    test(name, { timeout, retry: 0 }, body)
  },
  skip: (name) => {
    test.skip(name, () => {})
  },
  afterAll: (body, timeout) => {
    afterAll(body, timeout)
  },
}

/** Proves the store that a module exports: each case is a test of Vitest with its id in the name. */
export function describeStore(module: URL, options: DescribeOptions = {}): void {
  describeStoreWith(runner, module, options)
}

export type { DescribeOptions }
