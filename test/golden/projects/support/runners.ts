/** How each runner is called, and how it shows what it counted. */
export interface Runner {
  readonly name: string
  /** Beside the package's own dependencies. */
  readonly also: readonly string[]
  readonly command: readonly string[]
  /** Updates what differs. The environment where this version of the runner has no flag. */
  readonly update: { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  readonly filter: (name: string) => string
  readonly retries: boolean
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
    retries: true,
    counts: /^ *Snapshots +(.*)$/gm,
  },
  {
    name: 'jest',
    also: ['jest', 'tsx'],
    command: ['node_modules/jest/bin/jest.js', '--maxWorkers=2', '--testTimeout=60000'],
    update: { args: ['-u'], env: {} },
    filter: (name) => `-t=${name}`,
    retries: true,
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
    retries: false,
    counts: /^ *# goldens: (.*)$/gm,
  },
]
