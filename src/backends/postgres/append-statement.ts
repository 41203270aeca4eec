import type { Append } from './append-queue.ts'

/** What is sent for appends: each is a call of `append`, and only the first may wait for its lock. */
export function appendStatement(
  schema: string,
  appends: readonly Append[],
  wait: number,
): [text: string, values: unknown[]] {
  const [only] = appends
  if (only !== undefined && appends.length === 1) {
    const { key, id, operation, digest, answer, nonce, ttl, bodies } = only
    return [
      `SELECT ${schema}.append_1($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [`${wait}`, key, id, operation, digest, answer, nonce, ttl, bodies],
    ]
  }
  let end = 0
  const ends = appends.map(({ bodies }) => (end += bodies.length))
  return [
    `SELECT ${schema}.append_1(CASE a.place WHEN 1 THEN $1 END, a.key, a.id, a.operation, a.digest, a.answer, a.nonce, a.ttl,
       ($11::text[])[a.ends - a.count + 1 : a.ends])
     FROM unnest($2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::text[], $7::text[], $8::double precision[], $9::integer[],
       $10::integer[]) WITH ORDINALITY a(key, id, operation, digest, answer, nonce, ttl, count, ends, place)`,
    [
      `${wait}`,
      appends.map(({ key }) => key),
      appends.map(({ id }) => id),
      appends.map(({ operation }) => operation),
      appends.map(({ digest }) => digest),
      appends.map(({ answer }) => answer),
      appends.map(({ nonce }) => nonce),
      appends.map(({ ttl }) => ttl),
      appends.map(({ bodies }) => bodies.length),
      ends,
      appends.flatMap(({ bodies }) => bodies),
    ],
  ]
}
