import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports, so that a port is still free after a restart; also the port of the cluster bus. */
const LOWEST = 11_000
const HIGHEST = 21_999
const BUS = 10_000
const ATTEMPTS = 20

/** Tries one free port after another, as long as the started program reports that the port is taken. */
export async function onFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort())
    } catch (error) {
      if (attempt === ATTEMPTS || !/address already in use|failed listening/i.test(String(error))) throw error
    }
  }
}

/** A port of 127.0.0.1 that is free now, together with the one 10,000 above it. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if ((await isFree(port)) && (await isFree(port + BUS))) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ host: '127.0.0.1', port, exclusive: true })
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}
