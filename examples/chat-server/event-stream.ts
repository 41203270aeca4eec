import type { ServerResponse } from 'node:http'
import { problemOf } from './http-error.ts'
import type { Chunk } from './make-answer.ts'

/** Sends an answer as server-sent events, in the AI SDK's UI message stream protocol. The headers go out with the first event. */
export class EventStream {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  readonly send = (chunk: Chunk): void => {
    const response = this.#response
    if (!response.headersSent) {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache',
        'x-vercel-ai-ui-message-stream': 'v1',
      })
    }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }

  end(): void {
    this.#response.end('data: [DONE]\n\n')
  }

  /** Tells of an error that came after the first event. */
  fail(error: unknown): void {
    const { code, message } = problemOf(error)
    this.send({ type: 'error', errorText: `${code}: ${message}` })
    this.#response.end()
  }
}
