import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runPrograms } from '../peers/checkpointers/run-programs.ts'
import { type Results, withSection } from '../peers/checkpointers/section.ts'
import type { Finding, Peer } from '../peers/finding.ts'
import { peers } from '../peers/peers.ts'
import { type Proved, peersPage, type Shown } from '../peers/peers-page.ts'
import { type CaseReport, prove, readClauses } from '../src/conformance/index.ts'
import { sumUpLevels } from '../src/conformance/report/sum-up.ts'
import { redisServer } from '../src/testing/servers/index.ts'
import { askRedis, fieldOf } from '../src/testing/servers/redis/ask-redis.ts'

/** Slow is not broken. */
const deadline = 120_000
/** A finding that depends on timing is stated only if it shows in every run. */
const runsPerProgram = 20
const run = promisify(execFile)
const folder = new URL('../peers/', import.meta.url)
const inFolder = (path: string) => new URL(path, folder)
const page = new URL('../docs/peers.md', import.meta.url)
const resultsFile = inFolder('checkpointers/results.json')

/**
 * Proves published stores as they are, runs the programs about checkpointers, and writes docs/peers.md. Fails if a case fails that no finding explains, or
 * if one passes that a finding says fails. With `--checkpointers`, only the programs are run, and the rest of the page stays.
 */
install()
const stores = process.argv.includes('--checkpointers')
  ? readFileSync(page, 'utf8')
  : peersPage(await proveAll(), readClauses())
const results: Results = await runPrograms(complain)
writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
writeFileSync(page, withSection(stores, results))

async function proveAll(): Promise<Proved[]> {
  const proved: Proved[] = []
  for (const peer of peers) {
    const { unsteady = [], unfinished = [] } = peer
    await using server = peer.server === undefined ? null : await redisServer({ own: true })
    if (server !== null) process.env['REDIS_URL'] = server.url
    const all = await casesOf(peer)
    for (const id of unfinished) {
      const status = all.find((one) => one.id === id)?.status
      if (status !== 'not finished') complain(`${peer.id}: ${id} is said not to finish, and it is ${status}`)
    }
    const reports = all.filter(({ id }) => ![...unsteady, ...unfinished].includes(id))
    const shown: Shown[] = []
    for (const finding of peer.findings) shown.push(await show(finding))
    const failed = reports.filter(({ status }) => status === 'failed' || status === 'kit failed')
    console.log(`${peer.id}: ${failed.length} failed`)
    compare(peer, failed)
    const versions = [...versionsOf(peer), ...(server === null ? [] : [await serverVersion(server)])]
    proved.push({ peer, versions, levels: sumUpLevels(reports), cases: reports, shown })
  }
  return proved
}

function install(): void {
  const installed = inFolder('node_modules/.package-lock.json')
  if (existsSync(installed) && versionsAreExact()) return
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  execFileSync(npm, ['ci', '--prefix', fileURLToPath(folder), '--ignore-scripts'], {
    stdio: 'inherit',
    cwd: fileURLToPath(folder),
  })
}

function versionsAreExact(): boolean {
  const { dependencies } = read('package.json') as { dependencies: Record<string, string> }
  return Object.entries(dependencies).every(([name, version]) => versionOf(name) === version)
}

function versionsOf({ packages }: Peer): Proved['versions'] {
  return packages.map((name) => [`\`${name}\``, versionOf(name) ?? 'not installed'])
}

async function serverVersion(server: { host: string; port: number }): Promise<Proved['versions'][number]> {
  const [info] = await askRedis(server, ['INFO', 'server'])
  const valkey = fieldOf(info, 'valkey_version')
  return valkey === undefined ? ['Redis', fieldOf(info, 'redis_version') ?? '?'] : ['Valkey', valkey]
}

function versionOf(name: string): string | null {
  const path = `node_modules/${name}/package.json`
  return existsSync(inFolder(path)) ? (read(path) as { version: string }).version : null
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(inFolder(path), 'utf8'))
}

async function casesOf({ id }: Peer): Promise<readonly CaseReport[]> {
  return (await prove(inFolder(`stores/${id}.store.ts`), { seed: 1, deadline })).cases
}

async function show(finding: Finding): Promise<Shown> {
  const program = inFolder(`reproductions/${finding.reproduction}.mjs`)
  const outputs = new Set<string>()
  for (let time = 0; time < runsPerProgram; time++) {
    outputs.add((await run(process.execPath, [fileURLToPath(program)], { timeout: 60_000 })).stdout)
  }
  if (outputs.size > 1)
    complain(`${finding.reproduction} printed ${outputs.size} different things in ${runsPerProgram} runs`)
  return { finding, code: readFileSync(program, 'utf8'), output: [...outputs].join('') }
}

function compare(peer: Peer, failed: readonly CaseReport[]): void {
  const explained = peer.findings.flatMap((finding) => [...finding.cases, ...(finding.stopped ?? [])])
  for (const { id, failure } of failed) {
    if (!explained.includes(id)) complain(`${peer.id}: ${id} fails, and no finding says why: ${failure?.message}`)
  }
  for (const id of explained) {
    if (!failed.some((one) => one.id === id)) complain(`${peer.id}: ${id} does not fail, and a finding says it does`)
  }
}

function complain(message: string): void {
  console.error(message)
  process.exitCode = 1
}
