import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { FiredFaults } from './fired-faults.ts'
import { listen } from './listen.ts'
import { type DueFault, planWireFaults, type WirePlanner } from './plan-wire-faults.ts'
import { postgres } from './protocols/postgres.ts'
import { resp } from './protocols/resp.ts'
import type { ClientCommand, WireProtocol } from './protocols/wire-protocol.ts'
import { ProxiedConnection } from './proxied-connection.ts'
import type { ArmedFaults, SeenCommand, WireFaultPlan } from './wire-fault-plan.ts'

export interface FaultProxyOptions {
  /** The real server; default host 127.0.0.1. */
  readonly host?: string
  readonly port: number
  readonly protocol: 'redis' | 'postgres' | WireProtocol
}

/** `fired`, `pending` and waiting cover everything that was ever armed, including what was healed. */
export interface FaultProxy extends ArmedFaults {
  readonly host: string
  readonly port: number
  /** `redis://127.0.0.1:…` */
  readonly url: string
  /** The error replies that its protocol knows by name. */
  readonly errorReplies: readonly string[]
  /** Every command so far, in the order they were handled. */
  readonly commands: readonly SeenCommand[]
  /** The server's address through the proxy: user, password and database stay the same. */
  through(url: string): string
  /** Arms more faults. If several are due at a command, the first one hits it. */
  arm(plan: WireFaultPlan): ArmedFaults
  /** Resets every connection and refuses new ones, until `heal`. */
  refuse(): Promise<void>
  /** Disarms everything and accepts connections again. Hanging ones are reset, so that clients reconnect. */
  heal(): Promise<void>
  /** Throws an error that names what was armed and never fired: a test whose fault never fired has tested nothing. Or what a `where` threw. */
  assertAllFired(): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const protocols = { redis: resp, postgres } as const

interface Arm {
  readonly planner: WirePlanner
  readonly fired: FiredFaults
}

/** A proxy on a free port of 127.0.0.1 in front of a real server. Everything without a fault passes unchanged. */
export async function faultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { host = '127.0.0.1', port, protocol } = options
  const proxy = new RunningProxy({ host, port }, typeof protocol === 'string' ? protocols[protocol] : protocol)
  await proxy.start()
  return proxy
}

class RunningProxy implements FaultProxy {
  readonly host = '127.0.0.1'
  readonly commands: SeenCommand[] = []
  readonly errorReplies: readonly string[]
  readonly #target: { readonly host: string; readonly port: number }
  readonly #protocol: WireProtocol
  readonly #connections = new Set<ProxiedConnection>()
  readonly #arms: Arm[] = []
  readonly #fired = new FiredFaults()
  #armed: Arm[] = []
  #failure: Error | null = null
  #port: number | undefined
  #accepted = 0
  #server: Server | null = null
  #starting: Promise<void> = Promise.resolve()
  #pause: NodeJS.Timeout | undefined

  constructor(target: { readonly host: string; readonly port: number }, protocol: WireProtocol) {
    this.#target = target
    this.#protocol = protocol
    this.errorReplies = protocol.errorReplies ?? []
  }

  get port(): number {
    return this.#port ?? 0
  }

  get url(): string {
    return `${this.#protocol.scheme}://${this.host}:${this.port}`
  }

  through(url: string): string {
    const address = new URL(url)
    address.hostname = this.host
    address.port = String(this.port)
    return address.href
  }

  get fired() {
    return this.#fired.list
  }

  get pending() {
    return this.#arms.flatMap(({ planner }) => planner.pending())
  }

  whenFired(count?: number) {
    return this.#fired.when(count)
  }

  arm(plan: WireFaultPlan): ArmedFaults {
    const arm = { planner: planWireFaults(plan, this.#protocol), fired: new FiredFaults() }
    this.#arms.push(arm)
    this.#armed.push(arm)
    return {
      fired: arm.fired.list,
      get pending() {
        return arm.planner.pending()
      },
      whenFired: (count) => arm.fired.when(count),
    }
  }

  assertAllFired(): void {
    if (this.#failure !== null) throw this.#failure
    const { pending } = this
    if (pending.length === 0) return
    const names = pending.map((fault) => JSON.stringify(fault)).join(', ')
    throw new Error(`never fired: ${names}; the proxy saw ${describe(this.commands)}`)
  }

  start(): Promise<void> {
    clearTimeout(this.#pause)
    if (this.#server !== null) return this.#starting
    const server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client))
    this.#server = server
    this.#starting = listen(server, this.#port).then((port) => {
      this.#port = port
    })
    this.#starting.catch(() => {})
    return this.#starting
  }

  async refuse(): Promise<void> {
    await this.#starting
    this.#goDown()
  }

  async heal(): Promise<void> {
    this.#armed = []
    for (const connection of this.#connections) if (connection.isDoomed) connection.reset()
    await this.start()
  }

  async close(): Promise<void> {
    clearTimeout(this.#pause)
    await this.#starting
    const ended = this.#server ? once(this.#server, 'close') : null
    this.#goDown()
    await ended
    for (const { fired } of [...this.#arms, { fired: this.#fired }]) fired.end()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #goDown(): void {
    this.#server?.close()
    this.#server = null
    for (const connection of this.#connections) connection.reset()
  }

  #accept(client: Socket): void {
    this.#accepted += 1
    const number = this.#accepted
    const connection = new ProxiedConnection({
      ...this.#target,
      client,
      conversation: this.#protocol.open(),
      decide: (command) => this.#decide(command, number),
      errorReply: (reply) => this.#protocol.errorReply(reply),
      refuse: (milliseconds) => {
        this.#goDown()
        if (milliseconds !== undefined) this.#pause = setTimeout(() => void this.start(), milliseconds)
      },
    })
    this.#connections.add(connection)
    client.on('close', () => this.#connections.delete(connection))
  }

  #decide(command: ClientCommand, connection: number): DueFault | null {
    const index = this.commands.length + 1
    this.commands.push({ index, name: command.name, isHandshake: command.isHandshake, connection })
    let first: { readonly arm: Arm; readonly due: DueFault } | null = null
    try {
      for (const arm of this.#armed) {
        const due = arm.planner.next(command, first === null)
        if (due !== null) first = { arm, due }
      }
    } catch (error) {
      this.#failure ??= new Error('the where of a plan threw', { cause: error })
      throw this.#failure
    }
    if (first === null) return null
    const { arm, due } = first
    return {
      fault: due.fault,
      happened: () => {
        due.happened()
        const fired = { did: due.fault.do, index, command: command.name, connection }
        arm.fired.add(fired)
        this.#fired.add(fired)
      },
    }
  }
}

function describe(commands: readonly SeenCommand[]): string {
  const counts = new Map<string, number>()
  for (const { name } of commands) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ') || 'no command'
}
