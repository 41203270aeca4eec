import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:net'

/** Below the ephemeral ports, so that a port that is released for a while stays free. */
const LOWEST = 22_000
const HIGHEST = 32_767
const ATTEMPTS = 100

/** Listens on a free port of 127.0.0.1, or on the one given, and returns it. */
export async function listen(server: Server, port?: number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const chosen = port ?? randomInt(LOWEST, HIGHEST + 1)
    try {
      server.listen({ host: '127.0.0.1', port: chosen, exclusive: true })
      await once(server, 'listening')
      return chosen
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || port !== undefined || attempt === ATTEMPTS) throw error
    }
  }
}
