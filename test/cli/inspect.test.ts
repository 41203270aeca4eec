import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { requireFreshBuild } from '../support/fresh-build.ts'
import { lookAtFolder } from '../support/look-at-folder.ts'
import { plantedStore } from './support/planted-store.ts'
import { start, unforget } from './support/run-cli.ts'

beforeAll(requireFreshBuild)

test('it prints an address with a fresh token, serves there, reads only, and ends with Ctrl-C', async () => {
  const { cwd } = await plantedStore()
  const before = await lookAtFolder(cwd)
  const running = start(['inspect', 'agent.db'], { cwd })
  await running.says(/\n/)
  const address = new URL(running.stdout.trim())
  const token = address.searchParams.get('token') ?? ''
  expect([address.hostname, token.length]).toEqual(['127.0.0.1', 32])
  expect((await fetch(address)).status).toBe(200)
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, address), {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  expect(await (await ask('/api/store')).json()).toMatchObject({ name: 'agent.db', write: false })
  expect((await fetch(new URL('/api/store', address))).status).toBe(401)
  const action = { action: 'delete', session: 'user-42', ifVersion: 'birth.6.nonce' }
  expect((await ask('/api/act', { method: 'POST', body: JSON.stringify(action) })).status).toBe(403)
  running.child.kill('SIGINT')
  const { stderr, code } = await running.ended
  expect({ stderr, code }).toEqual({ stderr: 'Read-only. Ctrl-C ends it.\n', code: 130 })
  expect(await lookAtFolder(cwd)).toEqual(before)
})

test('two inspectors have two tokens; --json prints one document', async () => {
  const { cwd } = await plantedStore()
  const urls: string[] = []
  for (const args of [['--write'], []]) {
    const running = start(['inspect', 'agent.db', '--json', ...args], { cwd })
    await running.says(/\}\n/)
    const { url, write } = JSON.parse(running.stdout) as { url: string; write: boolean }
    expect(write).toBe(args.length > 0)
    urls.push(new URL(url).search)
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(143)
  }
  expect(new Set(urls).size).toBe(2)
})

test('--open starts the browser that BROWSER names with the address', async () => {
  const { cwd } = await plantedStore()
  const browser = join(cwd, 'browser')
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > opened.tmp && mv opened.tmp opened && kill -INT "$PPID"\n`)
  await chmod(browser, 0o755)
  const running = start(['inspect', 'agent.db', '--open'], { cwd, env: { BROWSER: browser } })
  expect((await running.ended).code).toBe(130)
  expect(await readFile(join(cwd, 'opened'), 'utf8')).toBe(running.stdout.trim())
})

test('what cannot be served is one sentence', async () => {
  const { cwd } = await plantedStore()
  const taken = createServer()
  await new Promise((resolve) => taken.listen(0, '127.0.0.1', () => resolve(null)))
  onTestFinished(() => new Promise((resolve) => taken.close(() => resolve())))
  const { port } = taken.address() as { port: number }
  const cases = [
    [['agent.db', '--port', String(port)], `unforget: port ${port} is in use; choose another with --port\n`],
    [['agent.db', '--port', '70000'], /^unforget: option '--port <n>' argument '70000' is invalid: expected a port/],
    [['missing.db'], /^unforget: .*missing\.db/],
    [['missing.db', '--write'], 'unforget: there is no file missing.db\n'],
    [['memory:'], /^unforget: "memory:" would be a new memory/],
  ] as const
  for (const [args, message] of cases) {
    const { stdout, stderr, code } = await unforget(['inspect', ...args, '--no-open'], { cwd })
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    if (typeof message === 'string') expect(stderr).toBe(message)
    else expect(stderr).toMatch(message)
  }
})
