import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type WorkerSettings, writeWorkerSettings } from './worker-settings.ts'

export interface Workers {
  readonly port: number
  stop(): Promise<void>
}

/** Starts worker processes that share one port, and starts another one whenever one ends. */
export async function startWorkers(settings: WorkerSettings, count: number): Promise<Workers> {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('worker.ts', import.meta.url)),
    execArgv: ['--import', import.meta.resolve('tsx')],
    args: [],
  })
  let stopping = false
  async function startWorker(): Promise<number> {
    const worker = cluster.fork(writeWorkerSettings(settings))
    const port = await portOf(worker)
    console.log(`worker ${worker.process.pid} listens`)
    worker.once('exit', (code, signal) => {
      if (stopping) return
      console.log(`worker ${worker.process.pid} ended (${signal ?? code}), another one starts`)
      startWorker().catch((error: unknown) => console.error(error))
    })
    return port
  }
  const port = await startWorker()
  await Promise.all(Array.from({ length: count - 1 }, startWorker))
  return {
    port,
    stop: async () => {
      stopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      const ended = workers.map((worker) => once(worker, 'exit'))
      for (const worker of workers) worker.process.kill('SIGTERM')
      await Promise.all(ended)
    },
  }
}

/** The port that the worker listens on. */
function portOf(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }) => resolve(port))
    worker.once('exit', (code) => reject(new Error(`a worker did not start, and ended with code ${code}`)))
  })
}
