import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findPgBouncer } from '../../src/testing/servers/postgres/find-pg-bouncer.ts'
import { findRedisServer } from '../../src/testing/servers/redis/find-redis-server.ts'
import { findChromium } from '../inspector/support/find-chromium.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const script = fileURLToPath(new URL('../../scripts/ensure-servers.mjs', import.meta.url))
const run = (env: NodeJS.ProcessEnv) => promisify(execFile)(process.execPath, [script], { env })

test('where the servers are found or named, nothing is said', async () => {
  const folder = await temporaryFolder()
  await symlink(findPgBouncer(), join(folder, 'pgbouncer'))
  await symlink(findChromium(), join(folder, 'chromium'))
  const named = run({ PATH: folder, REDIS_URL: 'redis://127.0.0.1:6379' })
  expect(await named).toEqual({ stdout: '', stderr: '' })
  await symlink(findRedisServer(), join(folder, 'valkey-server'))
  expect(await run({ PATH: folder })).toEqual({ stdout: '', stderr: '' })
})

test('where there is none and none can be installed, it says how to get one', async () => {
  const failed = run({ PATH: await temporaryFolder() })
  await expect(failed).rejects.toMatchObject({ code: 1, stdout: '' })
  await expect(failed).rejects.toThrow(
    /The tests need a Redis server: neither redis-server nor valkey-server is on the PATH\. \w.*REDIS_URL.*\.\n$/s,
  )
})

test('PgBouncer is found on the PATH and elsewhere; if it is missing, the error says how to get it', async () => {
  const folder = await temporaryFolder()
  expect(() => findPgBouncer({ PATH: folder }, [])).toThrow(/no pgbouncer is found\. Install one: .*pgbouncer/)
  await symlink(findPgBouncer(), join(folder, 'pgbouncer'))
  expect(findPgBouncer({ PATH: folder }, [])).toBe(join(folder, 'pgbouncer'))
  expect(findPgBouncer({ PATH: '' }, [folder])).toBe(join(folder, 'pgbouncer'))
  expect(findPgBouncer({ UNFORGET_PGBOUNCER: '/opt/pgbouncer' })).toBe('/opt/pgbouncer')
})

test('Chromium is found on the PATH; if it is missing, the error says how to get it', async () => {
  const folder = await temporaryFolder()
  expect(() => findChromium({ PATH: folder })).toThrow(/no Chromium is on the PATH\. Install one: .*chromium/)
  await symlink(findChromium(), join(folder, 'chromium'))
  expect(findChromium({ PATH: folder })).toBe(join(folder, 'chromium'))
  expect(findChromium({ UNFORGET_CHROMIUM: '/opt/chromium' })).toBe('/opt/chromium')
})
