import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { MemoryStoreBackendError } from '../../core/errors.ts'

/** A worker thread has no loader for TypeScript modules, so it gets its few lines as text. */
const program = `
const { createRequire } = require('node:module')
const { parentPort, workerData } = require('node:worker_threads')
let found
try {
  const Database = createRequire(workerData.from)('better-sqlite3')
  const database = new Database(workerData.file, { readonly: true, fileMustExist: true, timeout: 1000 })
  found = database.prepare('PRAGMA integrity_check').pluck().all()
  database.close()
} catch (error) {
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) throw error
  found = [error.message]
}
parentPort.postMessage(found)
`

/** A check may take a minute, and a second more for each megabyte. */
const most = { milliseconds: 60_000, perMegabyte: 1000 }

/** SQLite's full check of a file takes as long as reading all of it, so it runs in a thread. */
export class StructureCheck {
  readonly #worker: Worker
  readonly #found: Promise<string[]>
  readonly #giveUp: number
  readonly #file: string

  constructor(file: string) {
    this.#file = file
    this.#giveUp = performance.now() + most.milliseconds + (statSync(file).size / 1e6) * most.perMegabyte
    this.#worker = new Worker(program, { eval: true, workerData: { file, from: import.meta.url } })
    this.#worker.unref()
    this.#found = new Promise((resolve, reject) => {
      this.#worker.once('message', resolve)
      this.#worker.once('error', reject)
      this.#worker.once('exit', () => reject(new Error('the check ended without a result')))
    })
    this.#found.catch(() => {})
  }

  /** The problems, or `null` if the check has not finished within the given milliseconds. */
  async wait(milliseconds: number): Promise<string[] | null> {
    if (performance.now() > this.#giveUp) {
      await this.stop()
      const message = `SQLite's check of ${this.#file} did not end in time`
      throw new MemoryStoreBackendError('TIMEOUT', message, { applied: 'no' })
    }
    let timer: NodeJS.Timeout | undefined
    const later = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, milliseconds, null)
    })
    const found = await Promise.race([this.#found, later]).finally(() => clearTimeout(timer))
    return found?.filter((reason) => reason !== 'ok') ?? null
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}
