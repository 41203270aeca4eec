import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { ChatMessage } from './chat-message.ts'
import { fakeAnswer, fakeSummary } from './fake-model.ts'

export interface ModelCall {
  readonly kind: 'answer' | 'summary'
  readonly messages: readonly ChatMessage[]
}

export interface ModelServer {
  readonly url: string
  /** Every call so far, oldest first. */
  readonly calls: readonly ModelCall[]
  close(): void
}

/** Serves the fake model over HTTP, as a provider does. It waits for `pause` before each piece of an answer and before a summary. */
export async function startModelServer(pause: (call: ModelCall) => Promise<unknown>): Promise<ModelServer> {
  const calls: ModelCall[] = []
  const server = createServer(async (request, response) => {
    const messages = (await json(request)) as ChatMessage[]
    const call: ModelCall = { kind: request.url === '/summary' ? 'summary' : 'answer', messages }
    calls.push(call)
    const take = calls.length
    if (call.kind === 'summary') {
      await pause(call)
      response.end(JSON.stringify(fakeSummary(messages)))
      return
    }
    response.flushHeaders()
    for (const piece of fakeAnswer(messages, take)) {
      await pause(call)
      response.write(`${JSON.stringify(piece)}\n`)
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
