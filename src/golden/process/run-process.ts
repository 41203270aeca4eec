import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { quoteVisibly } from '../../plain/visible-text.ts'
import { GoldenError } from '../errors.ts'
import { loaderFlags, neighborModule } from '../system/typescript-loader.ts'
import { type ErrorDetails, type ProcessAnswer, type ProcessRequest, reachedChannel } from './messages.ts'
import { checkProcess, type ProcessOptions } from './process-options.ts'

/**
 * Calls an exported function as `fn(path, args)` in a fresh process, and returns what it returns, or throws what it throws. The process ends
 * as soon as the function is done: what it did not wait for is lost. Undefined if the process was killed at its point or ended by itself.
 */
export async function runProcess(
  path: string,
  module: URL | string,
  exportName: string,
  args: unknown,
  options: ProcessOptions = {},
): Promise<unknown> {
  checkProcess(module, exportName, options)
  const { killAt, deadline = 30_000 } = options
  const url = toUrl(module)
  const child = start(url)
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const ended = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>
  let answer: ProcessAnswer | undefined
  let isReached = false
  let isLate = false
  child.once('message', (message: ProcessAnswer) => {
    answer = message
  })
  child.stdio[reachedChannel]?.once('data', () => {
    isReached = true
    end()
  })
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, deadline)
  const request: ProcessRequest = { module: url, exportName, path, args, killAt: killAt ?? null, deadline }
  try {
    child.send(request, () => {})
    const [code, signal] = await ended
    const call = `${exportName} of ${url}`
    if (isReached) return undefined
    if (isLate) throw new GoldenError('PROCESS_TIMEOUT', `${call} was not done after ${deadline} ms, and was killed.`)
    if (answer?.kind === 'threw') throw answer.details === null ? answer.error : toError(answer.details, call)
    if (answer === undefined && code !== 0) {
      throw new GoldenError(
        'PROCESS_FAILED',
        `The process of ${call} ended with ${signal ?? `code ${code}`} before it was done.`,
      )
    }
    if (killAt !== undefined)
      throw new GoldenError('NOT_REACHED', `${call} ended without reaching ${quoteVisibly(killAt)}.`)
    return answer?.value
  } finally {
    clearTimeout(timer)
    process.removeListener('exit', end)
    end()
  }
}

function start(url: string): ChildProcess {
  const own = neighborModule(import.meta.url, 'process-child')
  return fork(fileURLToPath(own), [], {
    execArgv: loaderFlags(url, own),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
  })
}

function toUrl(module: URL | string): string {
  if (typeof module !== 'string' || module.startsWith('file:')) return String(module)
  if (!isAbsolute(module)) {
    throw new GoldenError(
      'BAD_OPTION',
      `Pass the module as new URL(${quoteVisibly(module)}, import.meta.url): ${resolve(module)} may not be what you mean.`,
    )
  }
  return pathToFileURL(module).href
}

const builtIn: Readonly<Record<string, ErrorConstructor>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

function toError({ name, message, stack, code }: ErrorDetails, call: string): Error {
  const error = new (builtIn[name] ?? Error)(message)
  error.name = name
  error.stack = `${stack}\n    in the process of ${call}`
  return code === null ? error : Object.assign(error, { code })
}
