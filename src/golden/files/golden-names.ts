import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'

const extension = '.sqlite'
const folderEnd = '.goldens'
const stepMark = '--'
const longest = 60

/** The folder for the goldens of all test files in a folder. */
export const goldensName = '__goldens__'

/** The folder of all end goldens of a test file, next to it. Its name must not end like a test file: node:test would run it. */
export function goldenFolder(testFile: string): string {
  return join(dirname(testFile), goldensName, `${basename(testFile)}${folderEnd}`)
}

/** The test file of such a folder; null for any other folder. */
export function testFileOf(folder: string): string | null {
  const goldens = dirname(folder)
  if (basename(goldens) !== goldensName || !folder.endsWith(folderEnd)) return null
  return join(dirname(goldens), basename(folder, folderEnd))
}

/** The end golden of a test or of one of its steps. */
export function goldenPath(testFile: string, testName: string, step: string | null): string {
  const name = step === null ? safeName(testName) : `${safeName(testName)}${stepMark}${safeName(step)}`
  return join(goldenFolder(testFile), `${name}${extension}`)
}

/** Whether a golden's file belongs to the test, as its end or as a step. */
export function belongsTo(golden: string, testName: string): boolean {
  const name = basename(golden, extension)
  const own = safeName(testName)
  return name === own || name.startsWith(`${own}${stepMark}`)
}

export const isGolden = (path: string) => path.endsWith(extension)

/** Where a differing state is kept for review. */
export const pendingPath = (golden: string) => `${golden}.new`

/** The report of a golden, as text. */
export const reportPath = (golden: string) => `${golden}.txt`

/** The text that records the inputs of a start golden's seed. */
export const inputsPath = (golden: string) => `${golden}.inputs`

/** A unique name that every file system accepts, even one that ignores case: readable words and a hash. */
function safeName(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-+|-+$/g, '')
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return words === '' ? hash : `${words}-${hash}`
}
