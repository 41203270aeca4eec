import { MemoryStoreError } from '../core/errors.ts'
import { Refusal } from './refusal.ts'
import type { ErrorView } from './wire.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Every answer has the headers that keep the page and its content to themselves. */
export function respond(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  type: string,
  status = 200,
): Response {
  return new Response(body, { status, headers: { ...headers, 'content-type': type } })
}

export function respondJson(value: unknown, status = 200): Response {
  return respond(JSON.stringify(value), 'application/json', status)
}

const statuses: Readonly<Record<string, number>> = {
  VERSION_CONFLICT: 409,
  SESSION_EXISTS: 409,
  SNAPSHOT_EXISTS: 409,
  SESSION_NOT_FOUND: 404,
  SNAPSHOT_NOT_FOUND: 404,
  SEQ_NOT_FOUND: 404,
  INVALID_ARGUMENT: 400,
  INVALID_ENTRY: 400,
}

export function respondError(error: unknown): Response {
  const view = toErrorView(error)
  return respondJson({ error: view }, error instanceof Refusal ? error.status : (statuses[view.code] ?? 500))
}

/** Errors of the store speak to people; any other could say more than it should. */
export function toErrorView(error: unknown): ErrorView {
  if (error instanceof Refusal || MemoryStoreError.is(error)) return { code: error.code, message: error.message }
  if (error instanceof TypeError && 'code' in error && error.code === 'INVALID_ARGUMENT') {
    return { code: 'INVALID_ARGUMENT', message: error.message }
  }
  return { code: 'INTERNAL', message: 'the inspector failed; the memory was not touched by it' }
}
