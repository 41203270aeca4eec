import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a TypeScript file of the tests in a process of its own, with an IPC channel; its arguments arrive as JSON in `process.argv[2]`. */
export function startChild(file: URL, argument: unknown, options: SpawnOptions = {}): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(file), JSON.stringify(argument)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...options,
  })
  child.stderr?.pipe(process.stderr, { end: false })
  return child
}

interface End<Message> {
  messages: Message[]
  code: number | null
  /** What the child printed to stderr. */
  errors: string
}

/** Waits for a child to end and returns everything it sent. */
export async function finish<Message>(child: ChildProcess): Promise<End<Message>> {
  const messages: Message[] = []
  let errors = ''
  child.on('message', (message) => messages.push(message as Message))
  child.stderr?.on('data', (text) => {
    errors += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { messages, code, errors }
}
