import { respond, respondJson, toErrorView } from '../respond.ts'
import type { StoreView, VerifyLine } from '../wire.ts'
import type { RouteContext } from './route.ts'

export async function showStore({ memory, write, name }: RouteContext): Promise<Response> {
  const health = await memory.health()
  return respondJson({ name: name ?? health.backend, write, health } satisfies StoreView)
}

export async function count({ memory }: RouteContext): Promise<Response> {
  return respondJson(await memory.stats())
}

/** How many entries are read between two lines about the progress. */
const progressStep = 5000

/** Answers with a line of JSON now and then, and ends when the page no longer listens. */
export async function verify({ memory }: RouteContext, request: Request, query: URLSearchParams): Promise<Response> {
  const session = query.get('session') || undefined
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, request.signal])
  const encoder = new TextEncoder()
  const lines = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (line: VerifyLine) => controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      let told = 0
      try {
        const onProgress = (progress: { sessions: number; entries: number }) => {
          if (progress.entries < told + progressStep) return
          told = progress.entries
          write(progress)
        }
        write({ verified: await memory.verify(session, { signal, onProgress }) })
      } catch (error) {
        if (signal.aborted) return
        write({ error: toErrorView(error) })
      }
      controller.close()
    },
    cancel: () => gone.abort(),
  })
  return respond(lines, 'application/x-ndjson')
}
