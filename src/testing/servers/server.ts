import type { KeptFolder } from './process/keep-folder.ts'
import type { ServerProcess } from './process/server-process.ts'

/** What can be done to a server, or to one of its processes. */
export interface ServerControls {
  /** Stops responding without losing anything: SIGSTOP. */
  pause(): void
  resume(): void
  /** Kills the process and its children: SIGKILL. All have ended when it resolves. Its port and folder are kept for `restart`. */
  kill(): Promise<void>
  /** Restarts on the same port and folder, ready when it resolves. A running process is shut down in order first. */
  restart(): Promise<void>
}

/** One process of a server. */
export interface ServerNode<Role extends string = string> extends ServerControls {
  /** Its initial role; a failover changes it. */
  readonly role: Role
  readonly url: string
  readonly host: string
  readonly port: number
  /** Throws if the process is not running. */
  readonly pid: number
  readonly folder: string
}

/** A running server. The controls act on all of its processes. */
export interface TestServer<Role extends string = string> extends ServerControls {
  /** Of the first node. */
  readonly url: string
  readonly host: string
  readonly port: number
  readonly pid: number
  /** Where its files are. */
  readonly folder: string
  readonly nodes: readonly ServerNode<Role>[]
  /** Of every node. */
  readonly urls: readonly string[]
  /** False if the environment named it: then `stop` leaves it running and the other controls throw. */
  readonly own: boolean
  /** Ends the processes and removes their files. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface StartedNode<Role extends string> {
  readonly role: Role
  readonly url: string
  readonly process: ServerProcess
}

/** Combines processes into a server. After a restart of all, `whole` waits until they form one again. */
export function serverOf<Role extends string>(
  started: readonly StartedNode<Role>[],
  folder: KeptFolder,
  whole: () => Promise<void> = async () => {},
): TestServer<Role> {
  const nodes = started.map(nodeOf)
  const [first] = nodes
  if (first === undefined) throw new Error('a server has a process')
  const all = async (act: (node: ServerNode) => Promise<void>) => void (await Promise.all(nodes.map(act)))
  const stop = async () => {
    await all((node) => node.kill())
    await folder.remove()
  }
  return {
    url: first.url,
    host: first.host,
    port: first.port,
    get pid() {
      return first.pid
    },
    folder: nodes.length === 1 ? first.folder : folder.path,
    nodes,
    urls: nodes.map(({ url }) => url),
    own: true,
    pause: () => nodes.forEach((node) => void node.pause()),
    resume: () => nodes.forEach((node) => void node.resume()),
    kill: () => all((node) => node.kill()),
    restart: async () => {
      await all((node) => node.restart())
      await whole()
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function nodeOf<Role extends string>({ role, url, process }: StartedNode<Role>): ServerNode<Role> {
  const { hostname, port } = new URL(url)
  return {
    role,
    url,
    host: hostname,
    port: Number(port),
    get pid() {
      return process.pid
    },
    folder: process.folder,
    pause: () => process.pause(),
    resume: () => process.resume(),
    kill: () => process.kill(),
    restart: () => process.restart(),
  }
}
