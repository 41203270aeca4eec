import type { Query } from './call-function.ts'
import type { Append } from './plain-append.ts'

/** The statement for appends: each is a call of `append`. Of those that wait for the lock of their session, the first waits for them all. */
export function appendStatement(schema: string, appends: readonly Append[], wait: number | null): Query {
  const [only] = appends
  return only !== undefined && appends.length === 1 ? oneCall(schema, only, wait) : calls(schema, appends, wait)
}

/** With as few arguments as it needs. */
function oneCall(schema: string, append: Append, wait: number | null): Query {
  const { session, key, operation, nonce, digest, ttl, bodies } = append
  const values: unknown[] = [wait === null ? null : `${wait}`, key, Buffer.from(session), operation, nonce]
  const [body] = bodies
  if (bodies.length === 1 && digest === '' && ttl === null) {
    return [`SELECT ${schema}.append_2($1, $2, $3, $4, $5, $6)`, [...values, body]]
  }
  const content = bodies.length === 1 ? [body, digest, ttl, null] : [null, digest, ttl, bodies]
  return [`SELECT ${schema}.append_2($1, $2, $3, $4, $5, $6, $7, $8, $9)`, [...values, ...content]]
}

function calls(schema: string, appends: readonly Append[], wait: number | null): Query {
  const values: unknown[] = [
    wait === null ? null : `${wait}`,
    appends.map(({ key }) => key),
    appends.map(({ session }) => Buffer.from(session)),
    appends.map(({ operation }) => operation),
    appends.map(({ nonce }) => nonce),
    appends.map(({ digest }) => digest),
    appends.map(({ ttl }) => ttl),
  ]
  const columns = ['$2::bytea[]', '$3::bytea[]', '$4::bytea[]', '$5::text[]', '$6::text[]', '$7::double precision[]']
  const names = ['key', 'id', 'operation', 'nonce', 'digest', 'ttl']
  const add = (name: string, type: string, list: readonly unknown[]) => {
    values.push(list)
    columns.push(`$${values.length}::${type}[]`)
    names.push(name)
  }
  const all = appends.flatMap(({ bodies }) => bodies)
  let content = 'a.body, a.digest, a.ttl'
  if (all.length === appends.length) add('body', 'text', all)
  else {
    let end = 0
    add(
      'count',
      'integer',
      appends.map(({ bodies }) => bodies.length),
    )
    add(
      'ends',
      'integer',
      appends.map(({ bodies }) => (end += bodies.length)),
    )
    values.push(all)
    content = `NULL, a.digest, a.ttl, ($${values.length}::text[])[a.ends - a.count + 1 : a.ends]`
  }
  let call = `${schema}.append_2(CASE a.place WHEN 1 THEN $1 END, a.key, a.id, a.operation, a.nonce, ${content})`
  const firsts = firstsOf(appends)
  if (wait === null && firsts.some((first, index) => first !== index + 1)) {
    add('first', 'integer', firsts)
    call = `CASE WHEN (${locked(schema)})[a.first] THEN ${call} ELSE '["BUSY"]' END`
  }
  return [`SELECT ${call} FROM unnest(${columns.join(', ')}) WITH ORDINALITY a(${names.join(', ')}, place)`, values]
}

/** Tries every lock before applying anything: a lock that becomes free in between must not let a later append to its session overtake an earlier one. */
function locked(schema: string): string {
  const got = `pg_try_advisory_xact_lock(${schema}.lock_of_2(l.key))`
  return `SELECT array_agg(${got} ORDER BY l.place) FROM unnest($2::bytea[]) WITH ORDINALITY l(key, place)`
}

/** For each, the place of the first to its session, counted from 1. */
function firstsOf(appends: readonly Append[]): number[] {
  const places = new Map<string, number>()
  return appends.map(({ session }, index) => {
    const place = places.get(session) ?? index + 1
    places.set(session, place)
    return place
  })
}
