import { setTimeout } from 'node:timers/promises'
import { startModelServer } from './model-server.ts'
import { help, readOptions } from './read-options.ts'
import { startWorkers } from './start-workers.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.help) {
    console.log(help)
    return
  }
  const { port, memory, lease } = options
  const model = options.model ?? (await startModelServer(() => setTimeout(60))).url
  const workers = await startWorkers({ port, memory, model, lease }, 2)
  console.log(`open http://127.0.0.1:${workers.port}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void workers.stop().finally(() => process.exit()))
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
