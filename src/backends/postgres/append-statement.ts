import type { Append } from './plain-append.ts'

/** What is sent for appends: each is a call of `append`. Of those that wait for the lock of their session, the first waits for them all. */
export function appendStatement(
  schema: string,
  appends: readonly Append[],
  wait: number | null,
): [text: string, values: unknown[]] {
  const [only] = appends
  return only !== undefined && appends.length === 1 ? oneCall(schema, only, wait) : calls(schema, appends, wait)
}

/** With as few arguments as it needs. */
function oneCall(schema: string, append: Append, wait: number | null): [text: string, values: unknown[]] {
  const { session, key, operation, nonce, digest, ttl, bodies } = append
  const values: unknown[] = [wait === null ? null : `${wait}`, key, Buffer.from(session), operation, nonce]
  const [body] = bodies
  if (bodies.length === 1 && digest === '' && ttl === null) {
    return [`SELECT ${schema}.append_1($1, $2, $3, $4, $5, $6)`, [...values, body]]
  }
  const content = bodies.length === 1 ? [body, digest, ttl, null] : [null, digest, ttl, bodies]
  return [`SELECT ${schema}.append_1($1, $2, $3, $4, $5, $6, $7, $8, $9)`, [...values, ...content]]
}

function calls(schema: string, appends: readonly Append[], wait: number | null): [text: string, values: unknown[]] {
  const values: unknown[] = [
    wait === null ? null : `${wait}`,
    appends.map(({ key }) => key),
    appends.map(({ session }) => Buffer.from(session)),
    appends.map(({ operation }) => operation),
    appends.map(({ nonce }) => nonce),
    appends.map(({ digest }) => digest),
    appends.map(({ ttl }) => ttl),
  ]
  const call = `SELECT ${schema}.append_1(CASE a.place WHEN 1 THEN $1 END, a.key, a.id, a.operation, a.nonce`
  const columns = '$2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::text[], $7::double precision[]'
  const names = 'key, id, operation, nonce, digest, ttl'
  const all = appends.flatMap(({ bodies }) => bodies)
  if (all.length === appends.length) {
    return [
      `${call}, a.body, a.digest, a.ttl) FROM unnest(${columns}, $8::text[]) WITH ORDINALITY a(${names}, body, place)`,
      [...values, all],
    ]
  }
  let end = 0
  const ends = appends.map(({ bodies }) => (end += bodies.length))
  return [
    `${call}, NULL, a.digest, a.ttl, ($10::text[])[a.ends - a.count + 1 : a.ends])
     FROM unnest(${columns}, $8::integer[], $9::integer[]) WITH ORDINALITY a(${names}, count, ends, place)`,
    [...values, appends.map(({ bodies }) => bodies.length), ends, all],
  ]
}
