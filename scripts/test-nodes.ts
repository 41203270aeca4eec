import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Project } from './nodes/project.ts'
import { fetchNode, fetchPackage, newestIn } from './nodes/runtimes.ts'

/** Installs the packed package as a user does, on the runtimes that people run, and uses it there. Arguments choose: `24`, `bun`. */
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'unforget-nodes-'))
const chosen = process.argv.slice(2)
const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name)
const allButSlowest = ['core', 'full', 'snapshots', 'processes', 'faults']
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const tooOld =
  /^CANNOT_OPEN: better-sqlite3 13\S* needs Node 22\.14 or newer, .*upgrade Node, or run npm install better-sqlite3@12/
let failures = 0

function step(name: string, work: () => string | undefined): void {
  const began = performance.now()
  const tell = (verdict: string) =>
    console.log(`${name}: ${verdict} (${((performance.now() - began) / 1000).toFixed(0)} s)`)
  try {
    tell(work() ?? 'holds')
  } catch (error) {
    failures += 1
    tell(`FAILED\n${(error as Error).message}`)
  }
}

try {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: root }).toString(),
  ) as [{ filename: string }]
  const tarball = join(folder, packed.filename)
  const npms = ['11', '12'].map(
    (major) => [major, join(fetchPackage('npm', major, folder), 'bin', 'npm-cli.js')] as const,
  )

  for (const [name, range, driver] of [
    ['20', '20.20', 12],
    ['22.14', '22.14.0', 13],
    ['22', '22', 13],
    ['24', '24', 13],
    ['26', '26', 13],
  ] as const) {
    if (!isChosen(name)) continue
    const version = newestIn(nodePackage, range)
    const node = fetchNode(version, folder)
    for (const [major, npm] of npms) {
      const title = `Node ${version}, npm ${major}`
      const project = new Project(join(folder, `${name}-npm-${major}`), [node])
      step(`${title}: install`, () => {
        const seconds = project.install(npm, tarball)
        if (!project.driver.startsWith(`${driver}.`)) throw new Error(`got driver ${project.driver}`)
        return `driver ${project.driver} in ${seconds.toFixed(1)} s`
      })
      if (driver === 12 && major === '12') {
        step(`${title}: a driver that npm did not build`, () =>
          project.open(/^CANNOT_OPEN: .*npm rebuild better-sqlite3/),
        )
        continue
      }
      step(`${title}: the sample of the README`, () => void project.runSample())
      if (major === '12') continue
      step(`${title}: prove memory:`, () => project.prove('memory:', ...allButSlowest))
      step(`${title}: prove sqlite:`, () => project.prove('sqlite:x.db', ...allButSlowest))
      step(`${title}: golden adapters`, () => void project.runGoldens())
      step(`${title}: statements dropped under garbage collection`, () => void project.dropStatements())
    }
  }

  if (isChosen('too-old') || isChosen('bun') || isChosen('deno')) {
    const [, npm] = npms[0] as (typeof npms)[number]
    const project = new Project(join(folder, 'others'), [fetchNode(newestIn(nodePackage, '24'), folder)])
    step('install for the others', () => `${project.install(npm, tarball).toFixed(1)} s`)
    for (const version of isChosen('too-old') ? ['22.13.1', newestIn(nodePackage, '20.20')] : [])
      step(`Node ${version}, driver 13`, () => project.on(fetchNode(version, folder)).open(tooOld))
    for (const [name, args] of [
      ['bun', []],
      ['deno', ['run', '-A']],
    ] as const) {
      if (!isChosen(name)) continue
      const version = newestIn(name, name === 'bun' ? '1' : '2')
      const program = join(fetchPackage(name, version, folder), '..', '.bin', name)
      const other = project.on(program, ...args)
      step(`${name} ${version}: the sample of the README`, () => void other.runSample())
      step(`${name} ${version}: prove memory:`, () => other.prove('memory:', 'core', 'full', 'snapshots'))
      step(`${name} ${version}: prove sqlite:`, () => other.prove('sqlite:x.db', 'core', 'processes'))
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(failures === 0 ? 'All of it holds.' : `${failures} FAILED`)
process.exitCode = failures === 0 ? 0 : 1
