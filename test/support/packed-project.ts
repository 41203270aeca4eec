import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A project with the packed package in its node_modules, beside the dependencies that are installed here already, and others of those that
 * are named.
 */
export async function packedProject({
  also = [],
  files = {},
}: {
  also?: readonly string[]
  files?: Readonly<Record<string, string>>
} = {}): Promise<string> {
  const folder = await temporaryFolder()
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  await run('tar', ['-xzf', join(folder, filename), '-C', folder])
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await rename(join(folder, 'package'), join(modules, 'unforget'))
  await chmod(join(modules, 'unforget', 'dist', 'cli', 'main.js'), 0o755)
  await symlink(join('..', 'unforget', 'dist', 'cli', 'main.js'), join(modules, '.bin', 'unforget'))
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const name of [...Object.keys(dependencies), ...also]) {
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}
