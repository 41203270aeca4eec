import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a TypeScript file of the tests in a process of its own, with an IPC channel; its arguments arrive as JSON in `process.argv[2]`. */
export function startChild(file: URL, argument: unknown, options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', fileURLToPath(file), JSON.stringify(argument)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...options,
  })
}

/** Waits for the end of a child and returns all that it sent. */
export async function finish<Message>(child: ChildProcess): Promise<{ messages: Message[]; code: number | null }> {
  const messages: Message[] = []
  child.on('message', (message) => messages.push(message as Message))
  const [code] = (await once(child, 'close')) as [number | null]
  return { messages, code }
}
