export interface RunOptions {
  /** Names of test files, without their ending; all if not given. */
  readonly files?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** How each runner is called, and how it shows what it counted. */
export interface Runner {
  readonly name: string
  /** Beside the package's own dependencies. */
  readonly also: readonly string[]
  readonly command: readonly string[]
  /** Updates what differs. The environment where this version of the runner has no flag. */
  readonly update: { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  readonly filter: (name: string) => string
  /** The other ways to ask for some of a file's tests, as for the one on a line. */
  readonly selections: (name: string, line: number) => readonly RunOptions[]
  readonly retries: boolean
  /** The runner's own module. */
  readonly module: string
  /** Whether a run may be green whose summary counts something obsolete. */
  readonly warnsInSummary: boolean
  /** Makes every test file load the adapter. */
  readonly setup: { readonly files: Readonly<Record<string, string>>; readonly args: readonly string[] }
  /** The lines that hold the counts. */
  readonly counts: RegExp
}

export const nodeMajor = Number(process.versions.node.split('.')[0])

export const runners: readonly Runner[] = [
  {
    name: 'vitest',
    also: ['vitest', 'tsx'],
    command: ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=2', '--testTimeout=60000'],
    update: { args: ['-u'], env: {} },
    filter: (name) => `-t=${name}`,
    selections: (name, line) => [{ args: [`${name}.test.js:${line}`] }],
    retries: true,
    module: 'vitest',
    warnsInSummary: true,
    setup: {
      files: { 'setup.config.js': "export default { test: { setupFiles: ['unforget/golden/vitest'] } }" },
      args: ['--config=setup.config.js'],
    },
    counts: /^ *Snapshots +(.*(?:\n.*)*?)\n *Test Files/gm,
  },
  {
    name: 'jest',
    also: ['jest', 'tsx'],
    command: ['node_modules/jest/bin/jest.js', '--maxWorkers=2', '--testTimeout=60000'],
    update: { args: ['-u'], env: {} },
    filter: (name) => `-t=${name}`,
    selections: () => [],
    retries: true,
    module: '@jest/globals',
    warnsInSummary: false,
    setup: {
      files: { 'setup.config.json': '{ "transform": {}, "setupFilesAfterEnv": ["unforget/golden/jest"] }' },
      args: ['--config=setup.config.json'],
    },
    counts: /^Snapshots: +(.*)$/gm,
  },
  {
    name: 'node-test',
    also: ['tsx'],
    command: ['--test', '--test-reporter=tap', '--test-concurrency=2'],
    update:
      nodeMajor >= 22 ? { args: ['--test-update-snapshots'], env: {} } : { args: [], env: { SNAPSHOT_UPDATE: 'all' } },
    filter: (name) => `--test-name-pattern=${name}`,
    selections: (name) =>
      ['--test-only', ...(nodeMajor >= 22 ? ['--test-skip-pattern=starts'] : [])].map((flag) => ({
        files: [name],
        args: [flag],
      })),
    retries: false,
    module: 'node:test',
    warnsInSummary: true,
    setup: { files: {}, args: ['--import=unforget/golden/node-test'] },
    counts: /^# goldens (.*)$/gm,
  },
]

export function runnerNamed(name: string): Runner {
  const runner = runners.find((other) => other.name === name)
  if (runner === undefined) throw new Error(`There is no runner ${name}.`)
  return runner
}
