import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The built command. */
export const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

export interface Ended {
  stdout: string
  stderr: string
  code: number | null
}

export interface RunOptions {
  cwd: string
  input?: string
  env?: Record<string, string>
}

/** Every run sees the same world, whatever the tests themselves run in. */
function world(env: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { NO_COLOR, FORCE_COLOR, CI, ...rest } = process.env
  return { ...rest, TZ: 'UTC', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', ...env }
}

export class Running {
  readonly child: ChildProcessWithoutNullStreams
  stdout = ''
  stderr = ''
  readonly ended: Promise<Ended>

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    child.stdin.on('error', () => {})
    this.ended = once(child, 'close').then(([code]) => ({
      stdout: this.stdout,
      stderr: this.stderr,
      code: code as number | null,
    }))
  }

  /** Waits until stdout has said this. */
  async says(text: string | RegExp): Promise<void> {
    const isSaid = () => (typeof text === 'string' ? this.stdout.includes(text) : text.test(this.stdout))
    while (!isSaid()) {
      const more = await Promise.race([once(this.child.stdout, 'data'), this.ended.then(() => null)])
      if (more === null && !isSaid()) throw new Error(`it ended without saying ${text}: ${this.stderr}`)
    }
  }
}

export function start(args: readonly string[], { cwd, env }: RunOptions): Running {
  return new Running(spawn(process.execPath, [main, ...args], { cwd, env: world(env) }))
}

/** Runs the command to its end, on pipes. */
export function unforget(args: readonly string[], options: RunOptions): Promise<Ended> {
  const running = start(args, options)
  running.child.stdin.end(options.input ?? '')
  return running.ended
}

/** Runs the command to its end as a user whom file modes stop: root may do anything. */
export async function unforgetAsNobody(args: readonly string[], { cwd, env }: RunOptions): Promise<Ended> {
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const running = new Running(spawn(process.execPath, [main, ...args], { cwd, env: world(env), ...nobody }))
  running.child.stdin.end()
  return running.ended
}

/** Runs a line of the shell to its end, where `unforget` is the command. */
export function shell(line: string, { cwd, env }: RunOptions): Promise<Ended> {
  const script = `set -o pipefail; unforget() { "${process.execPath}" "${main}" "$@"; }; ${line}`
  const running = new Running(spawn('bash', ['-c', script], { cwd, env: world(env) }))
  running.child.stdin.end()
  return running.ended
}

export const hasTerminal = spawnSync('script', ['--version']).status === 0

/** Starts the command on a terminal of this width; what it shows, stderr too, comes as stdout. */
export function startOnTerminal(args: readonly string[], { cwd, env }: RunOptions, columns = 80): Running {
  const quoted = [process.execPath, main, ...args].map((one) => `'${one.replaceAll("'", `'\\''`)}'`).join(' ')
  const line = `stty cols ${columns}; exec ${quoted}`
  return new Running(spawn('script', ['-qec', line, '/dev/null'], { cwd, env: world({ SHELL: '/bin/bash', ...env }) }))
}
