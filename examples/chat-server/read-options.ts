import { parseArgs } from 'node:util'

export interface Options {
  readonly help: boolean
  readonly port: number
  readonly memory: string
  readonly model: string | undefined
  readonly lease: number
}

export const help = `A chat server with two worker processes and one memory.

npm run chat -- [options]

  --port <number>   the port on 127.0.0.1; 0 takes a free one (default: 3000)
  --memory <url>    where the memory is: sqlite:<path>, redis://… or postgres://…
                    (default: $CHAT_MEMORY, or sqlite:chat-server.db)
  --model <url>     a model server to ask (default: a fake one in the first process)
  --lease <ms>      how long the turn of a killed worker stays taken (default: 5000)
  --help            prints this`

/** Reads the options, and throws an error with a message for people if they are wrong. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { port: text, memory: text, model: text, lease: text, help: { type: 'boolean' } },
  })
  const memory = values.memory ?? env['CHAT_MEMORY'] ?? 'sqlite:chat-server.db'
  if (memory === 'memory:' || memory === 'sqlite::memory:') {
    throw new Error(`${memory} belongs to one process, and the two workers must share the memory`)
  }
  return {
    help: values.help ?? false,
    port: wholeNumber('--port', values.port ?? '3000', 0, 65_535),
    memory,
    model: values.model,
    lease: wholeNumber('--lease', values.lease ?? '5000', 100, 600_000),
  }
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= least && number <= most) return number
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(value)}`)
}
