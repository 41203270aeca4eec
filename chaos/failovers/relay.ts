import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Relay {
  readonly port: number
  /** From now on connections lead to this port; those there are end. */
  leadTo(port: number): void
  close(): Promise<void>
}

/** One address for whichever server is the primary, as a virtual address in front of a pair is. */
export async function startRelay(first: number): Promise<Relay> {
  let target = first
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const behind = connect(target, '127.0.0.1')
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        behind.destroy()
      })
    }
    client.pipe(behind).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port
      endAll()
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      endAll()
      await closed
    },
  }
}
