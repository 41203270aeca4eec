import { writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { setKillPoint } from './kill-point.ts'
import { type ErrorDetails, type ProcessAnswer, type ProcessRequest, reachedChannel } from './messages.ts'

/** Ends the process when its parent is gone or the deadline is long past, even while its own code never yields. */
const watchdog = `
  const { workerData } = require('node:worker_threads')
  const end = Date.now() + workerData.deadline + 5000
  setInterval(() => {
    if (process.ppid !== workerData.parent || Date.now() > end) process.kill(process.pid, 'SIGKILL')
  }, 500)
`

process.on('disconnect', () => process.exit(1))
process.once('message', (request: ProcessRequest) => {
  void run(request)
})

async function run({ module, exportName, path, args, killAt, deadline }: ProcessRequest): Promise<void> {
  new Worker(watchdog, { eval: true, execArgv: [], workerData: { parent: process.ppid, deadline } }).unref()
  if (killAt !== null) setKillPoint({ name: killAt, wait: waitForEver })
  try {
    const loaded = (await import(module)) as Record<string, unknown>
    const exported = loaded[exportName]
    if (typeof exported !== 'function') {
      const names = Object.keys(loaded).join(', ')
      throw new TypeError(`${module} exports no function ${exportName}${names === '' ? '' : `, only ${names}`}.`)
    }
    answer({ kind: 'returned', value: await exported(path, args) })
  } catch (error) {
    answer(thrown(error))
  }
}

function answer(message: ProcessAnswer): void {
  try {
    process.send?.(message, () => process.exit(0))
  } catch (error) {
    process.send?.(thrown(error), () => process.exit(0))
  }
}

function thrown(error: unknown): ProcessAnswer {
  if (!(error instanceof Error)) return { kind: 'threw', error, details: null }
  const { name, message, stack = `${name}: ${message}` } = error
  const code = 'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : null
  const details: ErrorDetails = { name, message, stack, code }
  return { kind: 'threw', error: null, details }
}

function waitForEver(): void {
  writeSync(reachedChannel, '!')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
