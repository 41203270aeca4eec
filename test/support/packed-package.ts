import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of the package as npm packs and unpacks it. Whoever asks first packs it; all others of this run wait and share it. */
export async function packedPackage(): Promise<string> {
  const packed = join(inject('runFolder'), 'package')
  const work = join(inject('runFolder'), 'packing')
  while (!existsSync(packed)) {
    if (takes(work)) await pack(work, packed)
    else await pause(50)
  }
  return packed
}

function takes(work: string): boolean {
  try {
    mkdirSync(work)
    return true
  } catch {
    return false
  }
}

async function pack(work: string, target: string): Promise<void> {
  try {
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', work], {
      cwd: root,
    })
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
    await run('tar', ['-xzf', join(work, filename), '-C', work])
    await chmod(join(work, 'package', 'dist', 'cli', 'main.js'), 0o755)
    await rename(join(work, 'package'), target)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
