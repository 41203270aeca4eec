import { after, describe, test } from 'node:test'
import { type DescribeOptions, describeStoreWith, type TestRunner } from './describe-store.ts'

const runner: TestRunner = {
  describe: (name, body) => {
    void describe(name, body)
  },
  test: (name, body, timeout) => {
    void test(name, { timeout }, body)
  },
  skip: (name) => {
    void test(name, { skip: true })
  },
  afterAll: (body, timeout) => {
    after(body, { timeout })
  },
}

/** Proves the store that a module exports: each case is a test of node:test with its id in the name. */
export function describeStore(module: URL, options: DescribeOptions = {}): void {
  describeStoreWith(runner, module, options)
}

export type { DescribeOptions }
