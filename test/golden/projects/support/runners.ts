/** How each runner is called, and how it shows what it counted. */
export interface Runner {
  readonly name: string
  /** Beside the package's own dependencies. */
  readonly also: readonly string[]
  readonly command: readonly string[]
  /** Updates what differs. The environment where this version of the runner has no flag. */
  readonly update: { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  readonly filter: (name: string) => string
  /** The ways to ask for the test on a line. */
  readonly places: (file: string, line: number) => readonly (readonly string[])[]
  readonly retries: boolean
  /** The runner's own module. */
  readonly module: string
  /** Whether a run may be green whose summary counts something obsolete. */
  readonly warnsInSummary: boolean
  /** A file that makes every test file load the adapter; null where that is not enough to find what its tests no longer ask for. */
  readonly setup: readonly [file: string, text: string] | null
  /** The lines that hold the counts. */
  readonly counts: RegExp
}

const nodeHasFlag = Number(process.versions.node.split('.')[0]) >= 22

export const runners: readonly Runner[] = [
  {
    name: 'vitest',
    also: ['vitest', 'tsx'],
    command: ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=2', '--testTimeout=60000'],
    update: { args: ['-u'], env: {} },
    filter: (name) => `-t=${name}`,
    places: (file, line) => [[`${file}:${line}`]],
    retries: true,
    module: 'vitest',
    warnsInSummary: true,
    setup: ['vitest.config.js', "export default { test: { setupFiles: ['unforget/golden/vitest'] } }"],
    counts: /^ *Snapshots +(.*(?:\n.*)*?)\n *Test Files/gm,
  },
  {
    name: 'jest',
    also: ['jest', 'tsx'],
    command: ['node_modules/jest/bin/jest.js', '--maxWorkers=2', '--testTimeout=60000'],
    update: { args: ['-u'], env: {} },
    filter: (name) => `-t=${name}`,
    places: () => [],
    retries: true,
    module: '@jest/globals',
    warnsInSummary: false,
    setup: ['jest.config.json', '{ "transform": {}, "setupFilesAfterEnv": ["unforget/golden/jest"] }'],
    counts: /^Snapshots: +(.*)$/gm,
  },
  {
    name: 'node-test',
    also: ['tsx'],
    command: ['--test', '--test-reporter=tap'],
    update: nodeHasFlag
      ? { args: ['--test-update-snapshots'], env: {} }
      : { args: [], env: { SNAPSHOT_UPDATE: 'all' } },
    filter: (name) => `--test-name-pattern=${name}`,
    places: () => [],
    retries: false,
    module: 'node:test',
    warnsInSummary: true,
    setup: null,
    counts: /^ *#? *goldens: ([^.\n]*)/gm,
  },
]
