import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1')

/** `FATAL`, `57P01`: what the server says last when an administrator ends a connection. */
const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0', 'latin1')
const terminated = Buffer.concat([Buffer.from('E\0\0\0', 'latin1'), Buffer.from([fields.length + 4]), fields])

export interface DyingConnections {
  readonly url: string
  /** How many have died. */
  readonly count: number
  /** No more die. */
  end(): void
}

/** Connections to the server that end in the very packet that says that they are ready: some as soon as they are made, others after an answer. */
export async function dyingConnections(server: string): Promise<DyingConnections> {
  const { hostname, port } = new URL(server)
  let readies = 0
  let count = 0
  let isOver = false
  const proxy = createServer((client) => {
    const behind = connect(Number(port), hostname)
    for (const socket of [client, behind]) socket.on('error', () => {})
    client.on('data', (data) => behind.write(data))
    client.on('close', () => behind.destroy())
    behind.on('close', () => client.destroy())
    behind.on('data', (data) => {
      if (isOver || !data.subarray(-6).equals(readyForQuery) || ++readies % 3 !== 0) client.write(data)
      else {
        count += 1
        client.end(Buffer.concat([data, terminated]))
      }
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const url = new URL(server)
  url.port = `${(proxy.address() as { port: number }).port}`
  return {
    url: url.href,
    get count() {
      return count
    },
    end() {
      isOver = true
    },
  }
}
