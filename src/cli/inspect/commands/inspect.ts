import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { MemoryStore } from '../../../core/memory-store.ts'
import { inspector } from '../../../inspector/inspector.ts'
import { addCommand } from '../../command/add-command.ts'
import { openInBrowser } from '../../command/open-in-browser.ts'
import { type CommonOptions, type Context, type ExitCode, report, runCommand } from '../../command/run-command.ts'
import { fileOf, reading, writing } from '../../store/open-store.ts'
import { serveHttp } from '../serve-http.ts'

interface Options extends CommonOptions {
  readonly write?: boolean
  readonly port: number
  readonly open?: boolean
}

export function addInspectCommand(program: Command): void {
  addCommand(
    program,
    'inspect <store>',
    'show in a browser what an agent remembers, and how it got there',
    'unforget inspect agent.db',
  )
    .option('--write', 'let the page change sessions; otherwise the store is opened read-only')
    .option('--port <n>', 'the port on 127.0.0.1; 0 takes a free one', parsePort, 0)
    .option('--open', 'open the page in a browser (default on a terminal)')
    .option('--no-open', 'only print the address')
    .action((store: string, options: Options) =>
      runCommand(options, (context) => {
        const work = (memory: MemoryStore) => inspect(context, memory, store, options)
        return options.write ? writing(store, work) : reading(store, work)
      }),
    )
}

async function inspect(
  { output, json, signal }: Context,
  memory: MemoryStore,
  store: string,
  { write = false, port, open = output.isTerminal && !json, debug = false }: Options,
): Promise<ExitCode> {
  const token = randomBytes(24).toString('base64url')
  await using server = await serveHttp(port, (hosts) => inspector(memory, { token, hosts, write, name: nameOf(store) }))
  const url = `${server.url}/?token=${token}`
  if (json) await output.json({ url, write })
  else {
    await output.line(url)
    process.stderr.write(`${write ? 'The page can change sessions' : 'Read-only'}. Ctrl-C ends it.\n`)
  }
  if (open) await openInBrowser(url).catch((error: unknown) => report(error, debug))
  await untilAborted(signal)
  return 0
}

/** The name of a file, or the URL of a server without its password. */
function nameOf(store: string): string {
  const file = fileOf(store)
  if (file !== undefined) return basename(file)
  const url = new URL(store)
  url.password = ''
  url.username = ''
  return url.href
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new InvalidArgumentError('Expected a port from 0 to 65535.')
}
