import { createServer } from 'node:http'
import { Background } from './background.ts'
import { openChatMemory } from './open-chat-memory.ts'
import { route } from './routes.ts'
import { readWorkerSettings } from './worker-settings.ts'

const { port, memory: url, ...rest } = readWorkerSettings()
const memory = await openChatMemory(url).catch(giveUp)
const background = new Background()
const server = createServer((request, response) => {
  background.run(() => route({ memory, ...rest }, background, request, response))
})
server.once('error', giveUp)
server.listen(port, '127.0.0.1')

function giveUp(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function stop(): Promise<void> {
  server.close()
  server.closeIdleConnections()
  await background.settled()
  await memory.close()
  process.exit()
}
process.once('SIGTERM', () => void stop())
// Ctrl-C reaches every process of the terminal; the first process tells the workers to stop.
process.on('SIGINT', () => {})
process.once('disconnect', () => void stop())
