import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

const timesIn = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => statSync(join(folder, file)).mtimeMs)

const newest = () =>
  Math.max(
    ...timesIn(folderOf('src'), '.ts'),
    ...['.ts', '.tsx', '.css'].flatMap((ending) => timesIn(folderOf('inspector'), ending)),
  )

/** Throws unless `dist` was built from `src` and `inspector` as they are: a test of the built package would prove an older one. */
export function requireFreshBuild(): void {
  const built =
    statSync(folderOf('dist'), { throwIfNoEntry: false }) === undefined ? [] : timesIn(folderOf('dist'), '.js')
  if (built.length > 0 && Math.min(...built) >= newest()) return
  throw new Error('dist is missing or older than its sources: npm run build')
}
