import type { ServerNode, TestServer } from './server.ts'

export interface ExistingServer<Role extends string> {
  readonly role: Role
  readonly url: string
  readonly host: string
  readonly port: number
  /** The environment variable that names it. */
  readonly variable: string
  /** How to start a new one anyway. */
  readonly instead: string
}

/** An existing server, which is left running: methods that would change it throw. */
export function existingServer<Role extends string>(existing: ExistingServer<Role>): TestServer<Role> {
  const { role, url, host, port, variable, instead } = existing
  const cannot = (what: string): never => {
    throw new Error(`the server that ${variable} names is not ours to ${what}: ${instead} starts one`)
  }
  const node: ServerNode<Role> = {
    role,
    url,
    host,
    port,
    get pid() {
      return cannot('look into')
    },
    get folder() {
      return cannot('look into')
    },
    pause: () => cannot('pause'),
    resume: () => cannot('resume'),
    kill: async () => cannot('kill'),
    restart: async () => cannot('restart'),
  }
  const server = { nodes: [node], urls: [url], own: false, stop: async () => {}, [Symbol.asyncDispose]: async () => {} }
  return Object.defineProperties(server as unknown as TestServer<Role>, Object.getOwnPropertyDescriptors(node))
}
