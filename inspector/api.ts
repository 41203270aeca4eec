import type { ActedView, Action, DamagedDeletion, ErrorView } from '../src/inspector/wire.ts'

/** What the server said no to, or that it did not answer (`NO_ANSWER`). */
export class Failure extends Error {
  readonly code: string

  constructor({ code, message }: ErrorView) {
    super(message)
    this.code = code
  }
}

type Query = Readonly<Record<string, string | number | null | undefined>>

const token = new URLSearchParams(location.search).get('token')

async function send(path: string, query: Query, init: RequestInit): Promise<Response> {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  let response: Response
  try {
    response = await fetch(`api/${path}?${search}`, {
      ...init,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
    })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Failure({ code: 'NO_ANSWER', message: 'the inspector does not answer' })
  }
  if (response.ok) return response
  const { error } = (await response.json().catch(() => ({}))) as { error?: ErrorView }
  throw new Failure(error ?? { code: 'NO_ANSWER', message: `the inspector answered with ${response.status}` })
}

export async function ask<View>(path: string, query: Query = {}, signal?: AbortSignal): Promise<View> {
  return (await (await send(path, query, signal === undefined ? {} : { signal })).json()) as View
}

export async function act(action: Action | DamagedDeletion): Promise<ActedView> {
  const response = await send('act', {}, { method: 'POST', body: JSON.stringify(action) })
  return (await response.json()) as ActedView
}

/** Yields the lines of an answer as they come. */
export async function* askLines<Line>(path: string, query: Query, signal: AbortSignal): AsyncGenerator<Line> {
  const { body } = await send(path, query, { signal })
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (rest + (value ?? '')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Line
    if (done) return
  }
}
