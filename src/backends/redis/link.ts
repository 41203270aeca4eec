import { StoreClosedError } from '../../core/errors.ts'
import { within } from '../../core/within.ts'
import { NotConnected } from '../../plain/not-connected.ts'
import { type Argument, bulkAsBytes } from './client.ts'
import type { Script } from './scripts/script.ts'
import type { Server, Wire } from './wire.ts'

/**
 * The connection to the server. If our own wire broke or hangs, it is replaced when it is next needed, so that a hung server is
 * noticed and a recovered one is found. The caller's wire is the caller's responsibility.
 */
export class Link {
  readonly #make: (() => Wire) | null
  readonly #leave: () => void
  #wire: Wire
  #connecting: Promise<Wire> | undefined
  #pending = 0
  #quietSince = 0
  #watch: NodeJS.Timeout | undefined
  #isClosed = false

  #patience: number

  /** `leave` is called when the link is closed. */
  constructor(wire: Wire | (() => Wire), patience: number, leave: () => void = () => {}) {
    this.#leave = leave
    this.#make = typeof wire === 'function' ? wire : null
    this.#wire = typeof wire === 'function' ? wire() : wire
    this.#patience = patience
    if (this.#make !== null) void this.#begin(this.#wire)
  }

  /** Our own wire is dropped after this many milliseconds without any response. */
  set patience(milliseconds: number) {
    this.#patience = milliseconds
    this.#look()
  }

  /** Runs a script on the server that has the keys. */
  async run(script: Script, keys: readonly string[], args: readonly Argument[], deadline: number): Promise<unknown> {
    const wire = this.#usable ?? (await this.#connected(deadline))
    const key = keys[0] as string
    return this.#sent(() =>
      evaluate((command, options) => wire.send(key, command, options), wire.scriptsAt(key), script, keys, args),
    )
  }

  /** The same, then waits on that very connection until enough replicas have it: on another one, `WAIT` would lie. */
  async runAndWait(
    script: Script,
    keys: readonly string[],
    args: readonly Argument[],
    deadline: number,
    { replicas, milliseconds }: { replicas: number; milliseconds: number },
  ): Promise<{ reply: unknown; replicas: number }> {
    const wire = this.#usable ?? (await this.#connected(deadline))
    return this.#sent(async () => {
      const connection = await wire.connectionOf(keys[0] as string)
      const { generation, scripts } = connection
      const send = (command: readonly Argument[], options?: object) => connection.send(command, options)
      const reply = await evaluate(send, scripts, script, keys, args)
      const reached = Number(await connection.send(['WAIT', `${replicas}`, `${milliseconds}`]))
      if (connection.generation !== generation) throw new Error('the connection was renewed before replicas responded')
      return { reply, replicas: reached }
    })
  }

  async servers(deadline: number): Promise<readonly Server[]> {
    const wire = this.#usable ?? (await this.#connected(deadline))
    const servers = await this.#sent(() => wire.servers())
    return servers.map((server) => ({ send: (args) => this.#sent(() => server.send(args)) }))
  }

  get isCluster(): boolean {
    return this.#wire.isCluster
  }

  /** Closes a connection of our own. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#watch)
    if (this.#make !== null) this.#wire.destroy()
    this.#leave()
  }

  get #usable(): Wire | null {
    if (this.#isClosed) throw new StoreClosedError()
    if (this.#make === null || (this.#connecting === undefined && this.#wire.isReady)) return this.#wire
    return null
  }

  /** The wire once it is connected; nothing was sent if it is not by then. */
  async #connected(deadline: number): Promise<Wire> {
    const connecting = this.#connecting ?? this.#begin(this.#renew())
    return before(connecting, deadline - performance.now())
  }

  #renew(): Wire {
    this.#wire.destroy()
    if (this.#make !== null) this.#wire = this.#make()
    return this.#wire
  }

  #begin(wire: Wire): Promise<Wire> {
    const connecting = before(
      wire.connect().then(() => wire),
      Math.max(this.#patience, minConnectMilliseconds),
    )
      .catch((error: unknown) => {
        wire.destroy()
        throw error
      })
      .finally(() => {
        this.#connecting = undefined
      })
    connecting.catch(() => {})
    this.#connecting = connecting
    return connecting
  }

  async #sent<T>(send: () => Promise<T>): Promise<T> {
    if (this.#pending === 0) this.#quietSince = performance.now()
    this.#pending += 1
    if (this.#make !== null) this.#watch ??= setTimeout(() => this.#look(), this.#patience)
    try {
      return await send()
    } finally {
      this.#pending -= 1
      this.#quietSince = performance.now()
    }
  }

  /** After a blocked event loop, the sockets are checked once more before they count as silent. */
  #look(isLast = false): void {
    clearTimeout(this.#watch)
    this.#watch = undefined
    if (this.#pending === 0 || this.#isClosed) return
    const quiet = performance.now() - this.#quietSince
    if (quiet < this.#patience) this.#watch = setTimeout(() => this.#look(), this.#patience - quiet)
    else if (isLast) this.#wire.destroy()
    else setImmediate(() => this.#look(true))
  }
}

/** Applies however short the deadlines of calls are. */
const minConnectMilliseconds = 2000

function before<T>(connecting: Promise<T>, milliseconds: number): Promise<T> {
  return within(milliseconds, connecting, () => new Error('the server does not respond')).catch((error) => {
    throw error instanceof NotConnected ? error : new NotConnected(error)
  })
}

/** A script is sent whole the first time, so the server knows it at the next call: an unknown one would be sent again, after later calls. */
async function evaluate(
  send: (args: readonly Argument[], options: object | undefined) => Promise<unknown>,
  known: Set<string>,
  { sha, source, repliesBytes }: Script,
  keys: readonly string[],
  args: readonly Argument[],
): Promise<unknown> {
  const options = repliesBytes ? bulkAsBytes : undefined
  const whole = () => send(['EVAL', source, `${keys.length}`, ...keys, ...args], options)
  if (!known.has(sha)) {
    known.add(sha)
    return whole()
  }
  try {
    return await send(['EVALSHA', sha, `${keys.length}`, ...keys, ...args], options)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return whole()
  }
}
