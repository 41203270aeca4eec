import { misuse } from '../core/errors.ts'
import type { MemoryStore } from '../core/memory-store.ts'
import { respondFile } from './page-files.ts'
import { Refusal, refuseForeign, refuseWithoutToken } from './refusal.ts'
import { respond, respondError } from './respond.ts'
import type { Route } from './routes/route.ts'
import { routes } from './routes/routes.ts'

/** Options of `inspector`. */
export interface InspectorOptions {
  /** The path that it is mounted at, such as `/admin/memory`. Default: `/`. */
  base?: string | undefined
  /** Whether the page may change sessions: save, roll back, rewind, fork, describe, expire, delete. Default: `false`. */
  write?: boolean | undefined
  /**
   * A secret that every request must have: the page in `?token=`, all others in an `Authorization` header, which the
   * page sends by itself. Default: none. Then your own login must keep strangers out.
   */
  token?: string | undefined
  /**
   * The hosts that it answers to, with their ports, such as `127.0.0.1:8080`. Default: any. Then a page of another site
   * is recognized by comparing `Origin` with `Host`.
   */
  hosts?: readonly string[] | undefined
  /** What the page calls the store. Default: the name of its backend. */
  name?: string | undefined
}

/**
 * Makes a function that answers requests with the inspector: a page that shows what an agent remembers, and what the
 * page asks for. Mount it in your own server, behind your own login; `unforget inspect` serves it on this machine.
 *
 * It keeps nothing between requests. Content that it shows is treated as hostile: it is sent as JSON, shown as text, and
 * the page may load nothing from other hosts.
 *
 * @param memory - The store. It is not closed.
 * @param options - `base`, `write`, `token`, `hosts` and `name`; see `InspectorOptions`.
 * @returns A function from a `Request` to a `Response`. It does not reject: what fails is a response with an error.
 * @throws `TypeError` at once if `base` does not start with `/`, or if `token` is empty.
 * @cost A request makes a few calls to the store, whose cost depends on what the page shows, not on the history. Only
 * counting and verifying everything, which the page does when asked to, read the whole store.
 */
export function inspector<Message extends object, StandIn extends object>(
  memory: MemoryStore<Message, StandIn>,
  options: InspectorOptions = {},
): (request: Request) => Promise<Response> {
  const { base = '/', write = false, token, hosts, name } = options
  if (!base.startsWith('/')) throw misuse('options.base: expected a path that starts with /')
  if (token === '') throw misuse('options.token: expected a secret, or none')
  const root = base.endsWith('/') ? base : `${base}/`
  const own = hosts?.map((host) => host.toLowerCase())
  const context = { memory: memory as unknown as MemoryStore, write, name }

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (url.pathname === root.slice(0, -1)) {
      return new Response(null, { status: 308, headers: { location: `${root}${url.search}` } })
    }
    const path = url.pathname.startsWith(root) ? url.pathname.slice(root.length) : null
    const isDocument = path === ''
    refuseForeign(request, own, isDocument)
    if (path === null) throw new Refusal(404, 'NOT_FOUND', 'there is nothing here')
    const route: Route | undefined = Object.hasOwn(routes, path) ? routes[path] : undefined
    requireMethod(request, route?.method ?? 'GET')
    if (isDocument || route !== undefined) refuseWithoutToken(request, token, isDocument)
    if (route !== undefined) return await route.answer(context, request, url.searchParams)
    const file = await respondFile(isDocument ? 'index.html' : path)
    if (file === null) throw new Refusal(404, 'NOT_FOUND', 'there is nothing here')
    return file
  }

  return async (request) => {
    try {
      return await answer(request)
    } catch (error) {
      if (error instanceof Refusal && request.headers.get('sec-fetch-mode') === 'navigate') {
        return respond(`${error.message}\n`, 'text/plain; charset=utf-8', error.status)
      }
      return respondError(error)
    }
  }
}

function requireMethod({ method, headers }: Request, wanted: 'GET' | 'POST'): void {
  if (method !== wanted) throw new Refusal(405, 'WRONG_METHOD', `expected ${wanted}`)
  if (method === 'POST' && !headers.get('content-type')?.startsWith('application/json')) {
    throw new Refusal(415, 'WRONG_TYPE', 'expected JSON')
  }
}
