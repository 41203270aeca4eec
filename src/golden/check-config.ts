import { checkVolatile } from './compare/volatile/check-volatile.ts'
import type { SnapshotDbConfig, SnapshotDbOptions } from './snapshot-db-config.ts'
import { checkOptions, isText, isUrl, type Rule } from './system/check-options.ts'

const isInput = (value: unknown) => typeof value === 'string' || isUrl(value)

const config: Readonly<Record<keyof SnapshotDbConfig, Rule>> = {
  golden: { is: isText, what: 'the path of a file' },
  seed: { is: (value) => typeof value === 'function', what: 'a function' },
  inputs: { is: (value) => Array.isArray(value) && value.every(isInput), what: 'an array of strings and file URLs' },
  volatile: {
    is: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    what: "an object such as { 'table.column': 'uuid' }",
  },
}

const ofAdapters: readonly string[] = ['testFile', 'testName', 'testId', 'mode', 'color'] satisfies (keyof Omit<
  SnapshotDbOptions,
  keyof SnapshotDbConfig
>)[]

/** Rejects unknown or invalid options. */
export function checkConfig(given: SnapshotDbConfig): void {
  checkOptions('snapshotDb', given, config, ofAdapters)
  checkVolatile(given.volatile ?? {})
}
