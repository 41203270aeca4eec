import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { HeldModel } from './held-model.ts'

export const main = fileURLToPath(new URL('../../../examples/chat-server/main.ts', import.meta.url))

export interface ChatServer {
  readonly url: string
  readonly model: HeldModel
  /** The next line of the output that matches, printed before this call or after it. */
  line(pattern: RegExp): Promise<string>
  stop(): Promise<void>
}

/** Starts the example as its command does, on a free port and a file of its own. */
export async function startChatServer(options: readonly string[] = []): Promise<ChatServer> {
  const folder = await mkdtemp(join(tmpdir(), 'unforget-chat-'))
  const model = await HeldModel.start()
  const own = ['--port', '0', '--memory', `sqlite:${join(folder, 'chat.db')}`, '--model', model.server.url]
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...own, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const lines: string[] = []
  const output = createInterface({ input: child.stdout })
  const line = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const index = lines.findIndex((each) => pattern.test(each))
      if (index !== -1) return lines.splice(index, 1)[0] ?? ''
      await Promise.race([
        once(output, 'line'),
        ended.then(() => {
          throw new Error(`the server ended before it printed ${pattern}`)
        }),
      ])
    }
  }
  output.on('line', (each) => lines.push(each))
  const opened = await line(/^open /)
  return {
    url: opened.slice('open '.length),
    model,
    line,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      model.server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
