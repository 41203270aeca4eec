import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runners } from '../../test/golden/projects/support/runners.ts'
import { dropStatements, openFile } from './programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sample = join(root, 'test', 'golden', 'projects', 'sample')
const [, readmeSample = ''] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []

/** What a command printed did not have what it must. */
export class Unexpected extends Error {}

/** A project that installed the tarball, and how programs run in it. */
export class Project {
  readonly folder: string
  /** The runtime and what comes before a program: `node`, or `deno run -A`. */
  readonly #command: readonly string[]
  readonly #environment: NodeJS.ProcessEnv

  constructor(folder: string, command: readonly string[]) {
    this.folder = folder
    this.#command = command
    const [runtime = ''] = command
    const told = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$)/i.test(name))
    this.#environment = {
      ...Object.fromEntries(told),
      PATH: `${dirname(runtime)}:${process.env['PATH']}`,
      NO_COLOR: '1',
    }
  }

  /** The same project, run by another runtime. */
  on(...command: readonly string[]): Project {
    return new Project(this.folder, command)
  }

  run(...args: readonly string[]): SpawnSyncReturns<string> {
    const [runtime = '', ...before] = this.#command
    return spawnSync(runtime, [...before, ...args], {
      cwd: this.folder,
      env: this.#environment,
      encoding: 'utf8',
      timeout: 1_200_000,
      maxBuffer: 1 << 28,
    })
  }

  /** Runs it and requires that it ends well and prints that. */
  must(expected: RegExp, ...args: readonly string[]): string {
    const { stdout, stderr, status, signal } = this.run(...args)
    const said = `${stdout}${stderr}`
    if (status === 0 && expected.test(said)) return said
    throw new Unexpected(
      `${args.join(' ')} ended with ${signal ?? status}, expected ${expected}:\n${said.slice(-3000)}`,
    )
  }

  /** A file of the project, written. */
  write(name: string, code: string): string {
    writeFileSync(join(this.folder, name), code)
    return name
  }

  install(npm: string, tarball: string): number {
    mkdirSync(this.folder, { recursive: true })
    this.write('package.json', JSON.stringify({ type: 'module', jest: { transform: {} } }))
    const began = performance.now()
    this.must(/added \d+ packages/, npm, 'install', '--no-audit', '--no-fund', tarball)
    return (performance.now() - began) / 1000
  }

  get driver(): string {
    const file = join(this.folder, 'node_modules', 'better-sqlite3', 'package.json')
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  }

  runSample(): void {
    this.must(
      /role: 'user', content: 'My name is Wang'|role: "user",\s+content: "My name is Wang"/,
      this.write('sample.mjs', readmeSample),
    )
  }

  open(expected: RegExp): string {
    return this.must(expected, this.write('open.mjs', openFile)).trim()
  }

  prove(url: string, ...levels: readonly string[]): string {
    const chosen = levels.flatMap((level) => ['--level', level])
    const program = join('node_modules', 'unforget', 'dist', 'cli', 'main.js')
    const said = this.must(/everything offered holds/, program, 'prove', url, '--deadline', '120', ...chosen)
    if (!said.includes(`\n${url}  unforget `)) throw new Unexpected(`something else than ${url} was proved:\n${said}`)
    return /\d+ cases of \d+ run/.exec(said)?.[0] ?? ''
  }

  /** The sample of golden databases, with each test runner: first it writes, then nothing differs. */
  runGoldens(): void {
    for (const runner of runners) {
      const project = new Project(join(this.folder, runner.name), this.#command)
      mkdirSync(join(project.folder, 'node_modules'), { recursive: true })
      for (const name of readdirSync(sample).filter((one) => !/fixtures|processes|flaky|steps/.test(one)))
        cpSync(join(sample, name), join(project.folder, name))
      cpSync(join(sample, 'fixtures', `${runner.name}.js`), join(project.folder, 'fixtures.js'))
      project.write('package.json', JSON.stringify({ type: 'module', jest: { transform: {} } }))
      for (const name of ['unforget', 'better-sqlite3'])
        cpSync(join(this.folder, 'node_modules', name), join(project.folder, 'node_modules', name), { recursive: true })
      for (const name of runner.also)
        symlinkSync(join(root, 'node_modules', name), join(project.folder, 'node_modules', name))
      const command = runner.name === 'jest' ? ['--experimental-vm-modules', ...runner.command] : runner.command
      project.must(/written/, ...command)
      project.must(/passed|goldens|Snapshots|PASS/, ...command)
    }
  }

  dropStatements(): void {
    this.on(...this.#command, '--expose-gc').must(/dropped/, this.write('drop.mjs', dropStatements))
  }
}
