import { mkdtempSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { messageOf } from '../plain/message-of.ts'
import { checkConfig } from './check-config.ts'
import { GoldenMismatchError, type Mismatch } from './compare/golden-mismatch-error.ts'
import { GoldenError } from './errors.ts'
import { goldenPath } from './files/golden-names.ts'
import { reportSubject } from './files/report.ts'
import { usedGoldens } from './files/used-goldens.ts'
import { freeze } from './freezing/freezer.ts'
import { thaw } from './freezing/thaw.ts'
import { resolveMode, type UpdateMode } from './mode.ts'
import type { ProcessOptions } from './process/process-options.ts'
import { runProcess } from './process/run-process.ts'
import { renderMismatches } from './render/render-mismatches.ts'
import { settleGolden, type Verdict } from './settle-golden.ts'
import type { SnapshotDbOptions } from './snapshot-db-config.ts'
import { ensureStartGolden } from './start-golden.ts'
import { requireText } from './system/check-options.ts'
import { makeTemporaryFolder } from './system/temporary-folder.ts'

/** Counts of goldens by outcome, for the runner's summary. */
export type Counts = Readonly<Record<Verdict, number>>

export interface Finished {
  readonly counts: Counts
  /** To be thrown by the adapter: the goldens do not match, or could not be compared. */
  readonly error: GoldenError | null
}

interface Captured {
  readonly golden: string
  readonly step: string | null
  readonly file: string
}

/** Gives a test a copy of its start golden in its own folder. Makes the start golden first, and rejects bad input. */
export async function openSnapshotDb(options: SnapshotDbOptions): Promise<SnapshotDb> {
  const mode = resolveMode(options.mode)
  checkConfig(options)
  usedGoldens(options.testFile).begin(options.testName, options.testId)
  const start = options.golden === undefined ? null : resolve(dirname(options.testFile), options.golden)
  if (start !== null) await ensureStartGolden({ path: start, seed: options.seed, inputs: options.inputs }, mode)
  const folder = makeTemporaryFolder('golden')
  const path = join(folder, start === null ? 'test.sqlite' : basename(start))
  try {
    if (start !== null) thaw(start, path)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  return new SnapshotDb(path, folder, start, mode, options)
}

/** The database of one attempt of a test. */
export class SnapshotDb {
  /** The test's own copy: any driver may open it. */
  readonly path: string
  readonly #folder: string
  readonly #start: string | null
  readonly #mode: UpdateMode
  readonly #options: SnapshotDbOptions
  readonly #steps: Captured[] = []
  readonly #running = new Map<Promise<unknown>, string>()

  constructor(path: string, folder: string, start: string | null, mode: UpdateMode, options: SnapshotDbOptions) {
    this.path = path
    this.#folder = folder
    this.#start = start
    this.#mode = mode
    this.#options = options
  }

  /** Keeps the state as it is now; it is compared with its own golden when the test has passed. */
  async step(name: string): Promise<void> {
    requireText('The name of a step', name)
    const golden = usedGoldens(this.#options.testFile).use(this.#options.testName, name)
    this.#steps.push(await this.#capture(golden, name))
  }

  /** Calls an exported function as `fn(path, args)` in a fresh process. */
  process(module: URL | string, exportName: string, args?: unknown, options?: ProcessOptions): Promise<unknown> {
    const running = runProcess(this.path, module, exportName, args, options)
    this.#running.set(running, exportName)
    const end = () => this.#running.delete(running)
    running.then(end, end)
    return running
  }

  /** Ends the attempt. Compares and writes only if the body passed; the copy is gone afterwards. */
  async finish({ passed }: { readonly passed: boolean }): Promise<Finished> {
    const counts = { added: 0, matched: 0, updated: 0, unmatched: 0 }
    try {
      const unawaited = [...this.#running.values()]
      await Promise.allSettled(this.#running.keys())
      if (!passed) return { counts, error: null }
      if (unawaited.length > 0) {
        const names = unawaited.join(', ')
        throw new GoldenError(
          'PROCESS_FAILED',
          `The test ended before its process did: await snapshotDb.process (${names}).`,
        )
      }
      const { testFile, testName } = this.#options
      const used = usedGoldens(testFile)
      used.settle(testName)
      const end = await this.#capture(goldenPath(testFile, testName, null), null)
      used.requireOwnName(testName)
      const mismatches = [...this.#steps, end].flatMap((captured): Mismatch[] => {
        const { verdict, mismatch } = this.#settle(captured)
        if (verdict === 'added') used.add(testName, captured.golden)
        counts[verdict]++
        return mismatch === null ? [] : [mismatch]
      })
      if (mismatches.length === 0) return { counts, error: null }
      const message = renderMismatches(mismatches, { color: this.#options.color })
      return { counts, error: new GoldenMismatchError(message, mismatches) }
    } catch (error) {
      counts.unmatched++
      return { counts, error: toGoldenError(error) }
    } finally {
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 })
    }
  }

  async #capture(golden: string, step: string | null): Promise<Captured> {
    const file = join(mkdtempSync(join(this.#folder, 'captured-')), basename(golden))
    await freeze(this.path, file)
    return { golden, step, file }
  }

  #settle({ golden, step, file }: Captured) {
    const { testName, volatile = {} } = this.#options
    const subject = reportSubject(testName, step, this.#start, volatile)
    return settleGolden({ golden, captured: file, subject, volatile, mode: this.#mode })
  }
}

function toGoldenError(error: unknown): GoldenError {
  if (error instanceof GoldenError) return error
  return new GoldenError('CANNOT_READ', `The databases cannot be compared: ${messageOf(error)}`, { cause: error })
}
