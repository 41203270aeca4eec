import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CannotRun } from '../command/run-command.ts'

type Handler = (request: Request) => Promise<Response>

/** Serves a handler on 127.0.0.1 and no other address. `make` gets the hosts that lead there. */
export async function serveHttp(
  port: number,
  make: (hosts: string[]) => Handler,
): Promise<AsyncDisposable & { url: string }> {
  let handler: Handler | undefined
  const server = createServer((incoming, outgoing) => {
    if (handler === undefined) outgoing.destroy()
    else answer(handler, incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    throw new CannotRun(
      isTaken ? `port ${port} is in use; choose another with --port` : `port ${port}: ${(error as Error).message}`,
    )
  }
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  handler = make([host, host.replace('127.0.0.1', 'localhost')])
  return {
    url: `http://${host}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const response = await handler(toRequest(incoming, gone.signal))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body === null) outgoing.end()
  else await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing)
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/' } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const target = new URL(`http://127.0.0.1${url.startsWith('/') ? url : '/'}`)
  return new Request(target, {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  })
}
