import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { messageOf } from '../plain/message-of.ts'
import { GoldenError } from './errors.ts'
import { inputsPath } from './files/golden-names.ts'
import { fingerprintInputs, type SeedInput } from './files/seed-inputs.ts'
import { freeze } from './freezing/freezer.ts'
import { requireDatabase } from './freezing/sqlite-header.ts'
import type { UpdateMode } from './mode.ts'
import { openDatabase } from './system/open-database.ts'
import { removeFile, replaceFile, replaceText } from './system/replace-file.ts'
import { makeTemporaryFolder } from './system/temporary-folder.ts'
import { withLock } from './system/with-lock.ts'

/** Writes a database at the path, with any driver. */
export type Seed = (path: string) => unknown

export interface StartGolden {
  readonly path: string
  /** Makes the golden if it is missing. Without a seed, the golden must exist. */
  readonly seed?: Seed | undefined
  /** The golden is made again when these change. */
  readonly inputs?: readonly SeedInput[] | undefined
}

/** Makes sure that the start golden exists and matches its seed's inputs. Concurrent callers wait, and find it made. */
export async function ensureStartGolden(start: StartGolden, mode: UpdateMode): Promise<void> {
  if (stateOf(start) === 'fresh') return
  await withLock(start.path, async () => {
    const state = stateOf(start)
    if (state === 'fresh') return
    if (start.seed === undefined) {
      throw new GoldenError('MISSING', `There is no ${start.path}, and no seed to create it. Add a seed, or the file.`)
    }
    if (mode === 'none') {
      throw state === 'missing'
        ? new GoldenError(
            'MISSING',
            `There is no ${start.path}, and nothing is written in this run. Run the tests locally and commit it.`,
          )
        : new GoldenError(
            'START_STALE',
            `${start.path} was created from other inputs than its seed has now, and nothing is written in this run. Run the tests locally and commit it.`,
          )
    }
    if (state === 'stale') requireDatabase(start.path)
    await make(start, start.seed)
  })
}

function stateOf({ path, seed, inputs }: StartGolden): 'fresh' | 'missing' | 'stale' {
  if (!existsSync(path)) return 'missing'
  if (seed === undefined || inputs === undefined) return 'fresh'
  const recorded = existsSync(inputsPath(path)) ? readFileSync(inputsPath(path), 'utf8').replaceAll('\r\n', '\n') : null
  return recorded === fingerprintInputs(path, inputs) ? 'fresh' : 'stale'
}

async function make({ path, inputs }: StartGolden, seed: Seed): Promise<void> {
  const fingerprint = inputs === undefined ? null : fingerprintInputs(path, inputs)
  const folder = makeTemporaryFolder('seed')
  try {
    const seeded = join(folder, basename(path))
    const frozen = `${seeded}.frozen`
    try {
      await seed(seeded)
    } catch (error) {
      throw new GoldenError('SEED_FAILED', `The seed of ${path} threw: ${messageOf(error)}`, { cause: error })
    }
    if (!existsSync(seeded)) {
      throw new GoldenError('SEED_EMPTY', `The seed of ${path} left no database at the path it was given.`)
    }
    await freeze(seeded, frozen)
    if (hasNothing(frozen)) throw new GoldenError('SEED_EMPTY', `The seed of ${path} left a database without tables.`)
    if (fingerprint !== null) removeFile(inputsPath(path))
    replaceFile(frozen, path)
    if (fingerprint !== null) replaceText(fingerprint, inputsPath(path))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function hasNothing(path: string): boolean {
  const database = openDatabase(path)
  try {
    return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
  } finally {
    database.close()
  }
}
