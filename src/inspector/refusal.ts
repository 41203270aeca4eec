import { createHash, timingSafeEqual } from 'node:crypto'

/** Why the inspector does not answer a request: a status and a sentence. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * Refuses what another site makes a browser send: a name that was made to lead here (DNS rebinding), a request of a
 * foreign page, a form.
 */
export function refuseForeign(request: Request, hosts: readonly string[] | undefined, isDocument: boolean): void {
  const host = (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
  if (hosts !== undefined && !hosts.includes(host)) {
    throw new Refusal(403, 'WRONG_HOST', `this inspector does not answer to the host ${host}`)
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !(hosts ?? [host]).includes(hostOf(origin))) {
    throw new Refusal(403, 'WRONG_ORIGIN', `a page of ${origin} may not use this inspector`)
  }
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  const isVisit = isDocument && request.headers.get('sec-fetch-mode') === 'navigate'
  if (site !== 'same-origin' && site !== 'none' && !isVisit) {
    throw new Refusal(403, 'WRONG_ORIGIN', 'a page of another site may not use this inspector')
  }
}

/** Compares in a time that does not depend on where the two differ. */
export function refuseWithoutToken(request: Request, token: string | undefined, isDocument: boolean): void {
  if (token === undefined) return
  const given = isDocument
    ? new URL(request.url).searchParams.get('token')
    : /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (!timingSafeEqual(digest(given ?? ''), digest(token))) {
    throw new Refusal(
      401,
      'WRONG_TOKEN',
      'the token is missing or wrong: use the address that unforget inspect printed',
    )
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).host.toLowerCase()
  } catch {
    return ''
  }
}
