import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packedPackage } from './packed-package.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A project with the packed package in its node_modules, the dependencies that are installed here but those named in `without`, and those in `also`. */
export async function packedProject({
  also = [],
  without = [],
  files = {},
}: {
  also?: readonly string[]
  without?: readonly string[]
  files?: Readonly<Record<string, string>>
} = {}): Promise<string> {
  const folder = await temporaryFolder()
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await cp(await packedPackage(), join(modules, 'unforget'), { recursive: true })
  await symlink(join('..', 'unforget', 'dist', 'cli', 'main.js'), join(modules, '.bin', 'unforget'))
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const name of [...Object.keys(dependencies), ...also]) {
    if (without.includes(name)) continue
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}
