import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packedProject } from '../../../support/packed-project.ts'
import type { Runner, RunOptions } from './runners.ts'

const run = promisify(execFile)
const sample = new URL('../sample/', import.meta.url)

export interface Ran {
  readonly code: number
  readonly said: string
  /** What the runner's summary says of goldens. */
  readonly counts: Readonly<Record<'written' | 'updated' | 'failed' | 'obsolete' | 'removed', number>>
}

/** A project with the sample's tests for a runner, and the packed package. */
export async function sampleProject(runner: Runner): Promise<{
  folder: string
  runTests(options?: RunOptions): Promise<Ran>
}> {
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ type: 'module', jest: { transform: {} } }),
    'fixtures.js': await readFile(new URL(`fixtures/${runner.name}.js`, sample), 'utf8'),
  }
  for (const name of await readdir(sample)) {
    const isLeftOut = name === 'fixtures' || (name === 'flaky.test.js' && !runner.retries)
    if (!isLeftOut) files[name] = await readFile(new URL(name, sample), 'utf8')
  }
  const folder = await packedProject({ also: runner.also, files })
  const runTests = async ({ files: chosen, args = [], env = {} }: RunOptions = {}): Promise<Ran> => {
    const tests = (chosen ?? []).map((name) => `${name}.test.js`)
    const words = runner.name === 'node-test' ? [...args, ...tests] : [...tests, ...args]
    const options = { cwd: folder, env: { ...cleanEnvironment(), ...env }, timeout: 1_500_000 }
    const { code, stdout, stderr } = await run(process.execPath, [...runner.command, ...words], options).then(
      (output) => ({ code: 0, ...output }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
    const said = `${stdout}${stderr}`.replaceAll(join(folder, '/'), '')
    return { code, said, counts: countsIn(said, runner.counts) }
  }
  return { folder, runTests }
}

/** Without what this run of the tests was told. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = /^(VITEST|TEST$|CI$|SNAPSHOT_|NODE_TEST_CONTEXT|NODE_ENV|FORCE_|JEST_)/
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', NODE_OPTIONS: '--experimental-vm-modules --no-warnings' }
}

function countsIn(said: string, lines: RegExp): Ran['counts'] {
  const counts = { written: 0, updated: 0, failed: 0, obsolete: 0, removed: 0 }
  for (const [, line = ''] of said.matchAll(lines)) {
    for (const [, count, word] of line.matchAll(/(\d+) (written|updated|failed|obsolete|removed)/g)) {
      counts[word as keyof typeof counts] += Number(count)
    }
  }
  return counts
}
