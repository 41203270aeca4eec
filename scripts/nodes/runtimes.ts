import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs a package into a folder of its own with the npm that runs this script, and returns its folder. */
export function fetchPackage(name: string, version: string, folder: string): string {
  const place = join(folder, `${name}@${version}`)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify({ allowScripts: { [name]: true } }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: place, stdio: 'pipe' })
  return join(place, 'node_modules', name)
}

/** The newest version in a range, as the registry has it. */
export function newestIn(name: string, range: string): string {
  const said = execFileSync('npm', ['view', `${name}@${range}`, 'version', '--json'], { stdio: 'pipe' }).toString()
  const versions = [JSON.parse(said) as string | string[]].flat()
  return versions.sort(byVersion).at(-1) ?? ''
}

function byVersion(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  const place = [0, 1, 2].find((index) => a?.[index] !== b?.[index]) ?? 0
  return (a?.[place] ?? 0) - (b?.[place] ?? 0)
}

const system = process.platform === 'win32' ? 'win' : process.platform

/** The executable of that Node, by the package that holds it, which needs no install script. */
export function fetchNode(version: string, folder: string): string {
  return join(fetchPackage(`node-${system}-${process.arch}`, version, folder), 'bin', 'node')
}
