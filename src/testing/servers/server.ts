import type { KeptFolder } from './process/keep-folder.ts'
import type { ServerProcess } from './process/server-process.ts'

/** What can be done to a server, or to one of its processes. */
export interface ServerControls {
  /** Nothing is answered anymore, and nothing is lost: SIGSTOP. */
  pause(): void
  resume(): void
  /** The process ends at once, with its children: SIGKILL. Its port and its folder wait for `restart`. */
  kill(): Promise<void>
  /** On the same port and folder, ready when it resolves. What still runs is shut down in order before. */
  restart(): Promise<void>
}

/** One process of a server. */
export interface ServerNode<Role extends string = string> extends ServerControls {
  /** What it was set up as; a failover changes that. */
  readonly role: Role
  readonly url: string
  readonly host: string
  readonly port: number
  /** Throws while the process does not run. */
  readonly pid: number
  readonly folder: string
}

/** A server that runs. The controls act on all of its processes. */
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
  /** False where the environment named it: then `stop` leaves it alone and the other controls throw. */
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

/** The server that these processes are. After a restart of all, `whole` waits until they are one again. */
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
