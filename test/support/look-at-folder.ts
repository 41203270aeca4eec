import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Everything in a folder: names, bytes and times. */
export async function lookAtFolder(folder: string): Promise<unknown[]> {
  return Promise.all(
    (await readdir(folder)).sort().map(async (name) => {
      const bytes = await readFile(join(folder, name))
      const { mtimeMs } = await stat(join(folder, name))
      return [name, createHash('sha256').update(bytes).digest('hex'), mtimeMs]
    }),
  )
}
