import type { WireFaultKind } from 'unforget/faults'
import { expect, test } from 'vitest'
import { encodeMessage } from '../../../../src/faults/proxy/protocols/postgres-values.ts'
import { postgresBehindProxy } from './postgres-behind-proxy.ts'
import { bind, copyData, copyDone, copyFail, execute, flush, parse, query, RawPostgres, sync } from './raw-postgres.ts'

const withPostgres = postgresBehindProxy()

const run = (sql: string) => [parse(sql), bind, execute]
const messages: Readonly<Record<string, readonly Buffer[]>> = {
  copy: run('COPY t FROM STDIN'),
  'copy-nowhere': run('COPY nowhere FROM STDIN'),
  'copy-refused': run('COPY refused FROM STDIN'),
  'copy-deferred': run('COPY deferred FROM STDIN'),
  'simple-copy': [query('COPY t FROM STDIN')],
  'simple-copy-twice': [query('COPY t FROM STDIN; COPY t FROM STDIN')],
  'simple-copy-nowhere': [query('COPY nowhere FROM STDIN')],
  one: [copyData('1\n')],
  two: [copyData('2\n')],
  bad: [copyData('bad\n')],
  done: [copyDone],
  fail: [copyFail],
  sync: [sync],
  flush: [flush],
  show: run('SHOW port'),
  nonsense: run('nonsense'),
  select: [query('SELECT 1')],
  begin: [query('BEGIN')],
  commit: [query('COMMIT')],
}

/** The first table refuses data before the server reads it, the second when the transaction ends. */
const tables = `
  DROP TABLE IF EXISTS refused, deferred;
  CREATE TABLE refused (n int);
  CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
  CREATE TRIGGER refuse BEFORE INSERT ON refused FOR EACH STATEMENT EXECUTE FUNCTION refuse();
  CREATE TABLE deferred (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)`

/** `one done > CZ` sends two messages in one packet, and waits for the types of the answer. */
async function follow(raw: RawPostgres, script: string): Promise<void> {
  for (const step of script.split(' | ')) {
    const [sent = '', answer = ''] = step.split(' > ')
    raw.send(...packet(sent))
    expect(await raw.until(answer)).toBe(answer)
  }
}

function packet(words: string): Buffer[] {
  return words.split(' ').flatMap((word) => {
    const found = messages[word]
    if (found === undefined) throw new Error(`no such message: ${word}`)
    return found
  })
}

async function withRaw() {
  const given = await withPostgres()
  await given.direct.query(tables)
  const raw = await RawPostgres.open(given.proxy.port)
  return { ...given, raw, go: (script: string) => follow(raw, script) }
}

/** All that a real server does with a COPY, and what is kept of it. */
const scripts: readonly (readonly [script: string, kept: readonly number[]])[] = [
  ['copy sync > 12G | one done sync > CZ', [1]],
  ['copy sync one done sync > 12GCZ', [1]],
  ['copy one done sync > 12GCZ', [1]],
  ['copy flush > 12G | one done flush > C | sync > Z', [1]],
  ['copy sync one sync two done sync > 12GCZ', [1, 2]],
  ['copy sync > 12G | one sync two done sync > CZ', [1, 2]],
  ['copy sync one done show sync > 12GC12DCZ', [1]],
  ['copy sync one done nonsense sync > 12GCEZ', []],
  ['copy sync > 12G | one fail sync > EZ', []],
  ['copy sync one fail sync > 12GEZ', []],
  ['copy one fail sync > 12GEZ', []],
  ['copy sync > 12G | bad > E | one done sync > Z', []],
  ['copy sync > 12G | bad > E | fail sync > Z', []],
  ['copy sync bad one done sync > 12GEZ', []],
  ['copy bad one done sync > 12GEZ', []],
  ['copy sync bad sync one done sync > 12GEZZ', []],
  ['copy-nowhere sync > 12EZ | one done sync > Z', []],
  ['copy-nowhere sync one done sync > 12EZZ', []],
  ['copy-nowhere one done sync > 12EZ', []],
  ['copy-refused sync > 12GEZ', []],
  ['copy-refused sync > 12GEZ | one done sync > Z', []],
  ['copy-refused sync one done sync > 12GEZZ', []],
  ['copy-deferred sync > 12G | one one done sync > CEZ', []],
  ['copy-deferred sync one one done sync > 12GCEZ', []],
  ['simple-copy > G | one done > CZ', [1]],
  ['simple-copy one fail > GEZ', []],
  ['simple-copy sync one done sync > GCZZ', [1]],
  ['simple-copy > G | bad > EZ | one done sync > Z', []],
  ['simple-copy bad one done simple-copy two done > GEZGCZ', [2]],
  ['simple-copy-twice one done two done > GCGCZ', [1, 2]],
]

test.each(scripts)('%s: and faults meet what comes after', async (script, kept) => {
  const { proxy, server, raw, go, direct, numbers } = await withRaw()
  const real = await RawPostgres.open(server.port)
  await follow(real, script)
  real.socket.destroy()
  expect(await numbers()).toEqual(kept)
  await direct.query('TRUNCATE t')

  await go(script)
  expect(await numbers()).toEqual(kept)
  proxy.arm({ do: 'error', reply: 'disk full', of: 'SELECT' })
  await go('select > EZ | select > TDCZ')
  expect(raw.errors.at(-1)).toBe('53100')
  proxy.arm({ do: 'reset after', of: 'INSERT' })
  raw.send(query('INSERT INTO t VALUES (3)'))
  await expect(raw.until('Z')).rejects.toThrow('the connection ended')
  proxy.assertAllFired()
  expect(await numbers()).toEqual([...kept, 3])
})

test.each(scripts)('%s: and faults meet what comes in the same packet', async (script, kept) => {
  const { proxy, raw, go, numbers } = await withRaw()
  proxy.arm({ do: 'error', reply: 'disk full', of: 'DELETE' })
  proxy.arm({ do: 'reset after', of: 'TABLE' })
  const steps = script.split(' | ')
  const [sent = '', answer] = steps.pop()?.split(' > ') ?? []
  if (steps.length > 0) await go(steps.join(' | '))
  raw.send(...packet(sent), query('DELETE FROM t'), ...run('DELETE FROM t WHERE false'), sync, query('TABLE t'))
  await expect(raw.until('all')).rejects.toThrow(new Error(`the connection ended after ${answer}EZ12CZ`))
  expect(raw.errors.at(-1)).toBe('53100')
  proxy.assertAllFired()
  expect(await numbers()).toEqual(kept)
})

test.each([
  'copy sync > 12G | one done sync',
  'copy flush > 12G | one done flush sync',
  'copy sync one done sync',
  'copy one done sync',
])('%s: faults meet the COPY', async (script) => {
  const { proxy, numbers } = await withPostgres()
  const steps = script.split(' | ')
  const asked = steps.length === 1 ? '12G' : ''
  const begin = async (kind: WireFaultKind) => {
    proxy.arm({ do: kind, of: 'COPY' })
    const raw = await RawPostgres.open(proxy.port)
    for (const step of steps.slice(0, -1)) await follow(raw, step)
    raw.send(...packet(steps.at(-1) ?? ''))
    return raw
  }
  expect(await (await begin('drip')).until('Z')).toBe(`${asked}CZ`)
  expect(await numbers()).toEqual([1])
  for (const kind of ['reset after', 'fin after', 'half reply'] as const) {
    const before = (await numbers()).length
    const raw = await begin(kind)
    await expect(raw.until('Z')).rejects.toThrow(new Error(`the connection ended after ${asked}`))
    expect((await numbers()).length).toBe(before + 1)
  }
  await begin('hang after')
  await proxy.whenFired(5)
  expect((await numbers()).length).toBe(5)
  proxy.assertAllFired()
})

test.each([
  'simple-copy > EZ',
  'simple-copy one done > EZ',
  'copy sync > EZ',
  'copy sync one done sync > EZZ',
  'copy one done sync > EZ',
])('%s: an error meets the COPY', async (script) => {
  const { proxy, raw, go, numbers } = await withRaw()
  proxy.arm({ do: 'error', reply: 'disk full', of: 'COPY' })
  await go(`${script} | select > TDCZ | copy sync > 12G | two done sync > CZ`)
  expect(raw.errors).toEqual(['53100'])
  expect(await numbers()).toEqual([2])
  proxy.assertAllFired()
})

test('the reply to a COPY ends when the server is ready', async () => {
  const { proxy, raw, go } = await withRaw()
  proxy.arm({ do: 'half reply', of: 'COPY' })
  await go('copy sync > 12G')
  const { bytesRead } = raw.socket
  raw.send(...packet('one done sync'))
  await raw.until('Z').catch(() => {})
  const reply = Buffer.concat([encodeMessage('C', ['COPY 1']), encodeMessage('Z', [], Buffer.from('I'))])
  expect(raw.socket.bytesRead - bytesRead).toBe(reply.length / 2)
})

test.each([
  ['simple-copy > G | one > EZ | two done select > TDCZ', 1],
  ['simple-copy > G | one two > EZ | two done select > TDCZ', 2],
  ['simple-copy > G | one done select > EZTDCZ', 2],
  ['simple-copy > G | one fail select > EZTDCZ', 2],
  ['simple-copy one two one done select > GEZTDCZ', 2],
  ['select simple-copy one done select > TDCZGEZTDCZ', 1],
  ['copy sync > 12G | one > E | two done sync > Z | select > TDCZ', 1],
  ['copy sync > 12G | one two > E | two fail sync > Z | select > TDCZ', 2],
  ['copy sync > 12G | one done sync select > EZTDCZ', 2],
  ['copy sync one two done sync select > 12GEZTDCZ', 2],
  ['copy one two done sync select > 12GEZTDCZ', 1],
])('%s: an error at the data of a COPY leaves the connection as a real one does', async (script, at) => {
  const { proxy, raw, go, numbers } = await withRaw()
  proxy.arm({ do: 'error', reply: 'disk full', of: 'COPY DATA', at })
  await go(script)
  expect(raw.errors).toEqual(['53100'])
  expect(proxy.fired).toMatchObject([{ did: 'error', command: 'COPY DATA' }])
  expect(await numbers()).toEqual([])
  await go('simple-copy one done copy sync two done sync > GCZ12GCZ')
  expect(await numbers()).toEqual([1, 2])
})

test('an error at the data of a COPY aborts its transaction', async () => {
  const { proxy, raw, go, numbers } = await withRaw()
  for (const script of ['simple-copy > G | one > EZ', 'copy sync > 12G | one > E | done sync > Z']) {
    proxy.arm({ do: 'error', reply: 'ERROR 23505 duplicate key', of: 'COPY DATA' })
    await go(`begin > CZ | ${script} | select > EZ | commit > CZ`)
  }
  expect(raw.errors).toEqual(['23505', '25P02', '23505', '25P02'])
  expect(await numbers()).toEqual([])
  proxy.assertAllFired()
})

test('where the server fails first, its error is told, and the connection goes on', async () => {
  const { proxy, raw, go } = await withRaw()
  proxy.arm({ do: 'error', reply: 'disk full', of: 'COPY DATA', at: 2, times: Number.POSITIVE_INFINITY })
  await go('copy sync bad one done sync select > 12GEZTDCZ')
  await go('simple-copy-nowhere one done select > EZTDCZ')
  await go('copy-nowhere sync one done sync select > 12EZZTDCZ')
  await go('copy-nowhere sync > 12EZ | one done sync > Z | select > TDCZ')
  expect(raw.errors).toEqual(['22P02', '42P01', '42P01', '42P01'])
})

test('an error at the data of a COPY that is fatal ends the connection', async () => {
  const { proxy, raw, go, numbers } = await withRaw()
  proxy.arm({ do: 'error', reply: 'terminated', of: 'COPY DATA' })
  await go('simple-copy > G')
  raw.send(...packet('one done'))
  await expect(raw.until('Z')).rejects.toThrow(new Error('the connection ended after E'))
  expect(raw.errors).toEqual(['57P01'])
  expect(await numbers()).toEqual([])
})
