import { createClient } from 'redis'

/** One command on a connection of its own. */
export async function askRedis(url: string, ...command: readonly string[]): Promise<unknown> {
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 5000 } })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.sendCommand([...command])
  } finally {
    client.destroy()
  }
}
