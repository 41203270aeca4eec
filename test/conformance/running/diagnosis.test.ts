import { expect, test } from 'vitest'
import { lookSync } from '../../../src/conformance/running/parent/look-sync.ts'
import { unforget } from '../../cli/support/run-cli.ts'
import { proved } from './support/proved.ts'
import { type StoreModule, storeModule, storeWith } from './support/store-module.ts'

/** One sentence before any case, on the command line and for test runners. */
async function diagnosed(module: StoreModule, sentence: RegExp): Promise<void> {
  const cases: string[] = []
  const proving = proved(module, { onCase: ({ id }) => void cases.push(id) })
  await expect(proving).rejects.toMatchObject({ name: 'CannotProve', fault: 'store' })
  await expect(proving).rejects.toThrow(sentence)
  expect(cases).toEqual([])
  expect(() => lookSync(module.url, 5000)).toThrow(sentence)
}

test('an open that gives the same memory for every location is named, and nothing else is said', async () => {
  const one = await storeModule("definition.open = () => openSound({ location: 'the only one' })")
  await diagnosed(one, /^open ignores location: what was added at '.*' is read at '.*', a location in another folder/)
  const { stdout, stderr, code } = await unforget(['prove', one.file], { cwd: one.cwd })
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
  expect(stderr).toMatch(/^unforget: open ignores location: .*\n$/)
})

test('so is one that uses only the last part of it', async () => {
  const named = await storeModule(`import { basename } from 'node:path'
definition.open = ({ location }) => openSound({ location: basename(location) })`)
  await diagnosed(named, /a location in another folder/)
  const folder = await storeModule(`import { dirname } from 'node:path'
definition.open = ({ location }) => openSound({ location: dirname(location) })`)
  await diagnosed(folder, /with another name in the same folder/)
})

test('so is one that gives a new memory each time', async () => {
  let module = await storeModule('let opened = 0\ndefinition.open = () => openSound({ location: String(opened++) })')
  await diagnosed(module, /^open ignores location: a second handle on '.*' does not read what the first one added/)
  module = await storeWith(
    'getHistory: async (id) => { await new Promise((done) => setTimeout(done, 50)); return sound.getHistory(id) }',
  )
  expect((await proved(module, { cases: ['clearing.1'] })).verdict, 'slow is not that').toBe('holds')
})

test.each([
  [
    'getHistory: async (id) => ({ messages: await sound.getHistory(id) })',
    /^getHistory returned \{ messages: \[ .* \] \}; expected a list of messages/,
  ],
  [
    'getHistory: async (id) => (await sound.getHistory(id)).map((one) => one.content)',
    /^getHistory returned \[ 'hello' \]; expected/,
  ],
  [
    'getHistory: async (id) => (await sound.getHistory(id)).map(({ role, content }) => ({ type: role, data: { content } }))',
    /^getHistory returned /,
  ],
  ['getHistory: async (id) => JSON.stringify(await sound.getHistory(id))', /^getHistory returned '\[/],
  ["saveSnapshot: async () => 'snap-1'", /^saveSnapshot returned 'snap-1'; expected an object with the id/],
  ['listSessions: async () => []', /^listSessions returned \[\]; expected a page of sessions/],
  ["listSnapshots: async () => ['snap-1']", /^listSnapshots returned/],
])('a wrong shape is named: %s', async (methods, sentence) => {
  await diagnosed(await storeWith(methods), sentence)
})

test('a store that forgets, hangs, throws or ends its process is judged by the cases', async () => {
  for (const methods of [
    'getHistory: async () => []',
    'addMessages: async () => { throw new Error("full") }',
    'addMessages: async () => process.exit(3)',
  ]) {
    const { verdict } = await proved(await storeWith(methods), { cases: ['clearing.1'] })
    expect(verdict).toBe('broken')
  }
  const { verdict } = await proved(await storeWith('addMessages: () => new Promise(() => {})'), {
    cases: ['clearing.1'],
    deadline: 500,
  })
  expect(verdict).toBe('not finished')
})
