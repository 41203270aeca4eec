import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { showAlternative } from './alternatives.ts'
import type { Background } from './background.ts'
import { compactSession } from './compact-session.ts'
import { readConversation } from './conversation.ts'
import { EventStream } from './event-stream.ts'
import { HttpError, problemOf } from './http-error.ts'
import { sendPageFile } from './page-files.ts'
import { runTurn, type TurnSettings } from './run-turn.ts'
import { readSidebar } from './sidebar.ts'

const seq = z.coerce.number().int().positive()
const turnBody = z
  .object({ requestId: z.string().min(1).max(200), text: z.string().trim().min(1).max(20_000), replaces: seq })
  .partial({ text: true, replaces: true })
  .refine(({ text, replaces }) => text !== undefined || replaces !== undefined, 'text or replaces is required')
const shownBody = z.object({ seq })
const pageQuery = z.object({ before: seq, snapshot: z.string(), upTo: seq }).partial()

/** Serves one request. It never rejects. */
export async function route(
  settings: TurnSettings,
  background: Background,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const events = new EventStream(response)
  try {
    await serve(settings, background, request, response, events)
  } catch (error) {
    if (response.headersSent) return events.fail(error)
    const problem = problemOf(error)
    sendJson(response, problem, problem.status)
  }
}

async function serve(
  settings: TurnSettings,
  background: Background,
  request: IncomingMessage,
  response: ServerResponse,
  events: EventStream,
): Promise<void> {
  const { memory, model, lease } = settings
  const { method = 'GET', url = '/' } = request
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
  response.setHeader('x-worker', process.pid)
  if (method === 'GET' && (await sendPageFile(pathname, response))) return

  const owner = ownerOf(request)
  if (method === 'GET' && pathname === '/api/sessions') {
    return sendJson(response, await readSidebar(memory, owner, searchParams.get('cursor')))
  }
  const [, session = '', part] = /^\/api\/sessions\/([\w-]{1,100})(?:\/(turns|shown))?$/.exec(pathname) ?? []
  if (method === 'GET' && session !== '' && part === undefined) {
    const { before, snapshot, upTo } = check(pageQuery, Object.fromEntries(searchParams))
    const earlier = snapshot === undefined || upTo === undefined ? undefined : { snapshot, upTo }
    return sendJson(response, await readConversation(memory, owner, session, { before, earlier }))
  }
  if (method === 'POST' && part === 'turns') {
    const turn = check(turnBody, await bodyOf(request))
    await runTurn(settings, { session, owner, ...turn }, events.send)
    background.run(async () => {
      const removed = await compactSession(memory, model, session)
      if (removed > 0) console.log(`worker ${process.pid} compacted ${removed} messages of ${session}`)
    })
    return events.end()
  }
  if (method === 'POST' && part === 'shown') {
    const wanted = check(shownBody, await bodyOf(request))
    await readConversation(memory, owner, session, {})
    const found = await memory.withTurn(session, (held) => showAlternative(held, wanted.seq), { lease })
    if (found === 'not found') throw new HttpError(404, 'there is no such alternative')
    return sendJson(response, {})
  }
  throw new HttpError(404, `there is nothing at ${method} ${pathname}`)
}

/** Who asks. This example believes the header; a real server asks its login. */
function ownerOf(request: IncomingMessage): string {
  const owner = request.headers['x-user']
  if (typeof owner !== 'string' || !/^[\w-]{1,50}$/.test(owner))
    throw new HttpError(401, 'the header x-user is missing')
  return owner
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  try {
    return await json(request)
  } catch {
    throw new HttpError(400, 'the body is not JSON')
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  throw new HttpError(400, checked.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
