import { chmodSync, existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const turn = [{ role: 'user' as const, content: 'hello' }]
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)
const modes = (file: string) => ['', '-wal', '-shm'].map((end) => modeOf(`${file}${end}`))

test('sqlite.13: a new file and its log can be read by their owner alone', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turn)
  expect(modes(file)).toEqual(['600', '600', '600'])
})

test('sqlite.13: so can one that is made through a link', async () => {
  const folder = await temporaryFolder()
  symlinkSync('target.db', join(folder, 'link.db'))
  await using memory = await openMemory(`sqlite:${join(folder, 'link.db')}`)
  await memory.addMessages('s', turn)
  expect(modes(join(folder, 'target.db'))).toEqual(['600', '600', '600'])
})

test('sqlite.13: a file that exists keeps its mode, and its log has the same', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  writeFileSync(file, '')
  chmodSync(file, 0o640)
  await using memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turn)
  expect(modes(file)).toEqual(['640', '640', '640'])
})

test('sqlite.13: opening that fails leaves no empty file', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'none', 'agent.db')
  await expect(openMemory(`sqlite:${file}`)).rejects.toMatchObject({ code: 'CANNOT_OPEN' })
  await expect(openMemory(`sqlite:${join(folder, 'x.db')}`, { readOnly: true })).rejects.toMatchObject({
    code: 'CANNOT_OPEN',
  })
  expect(existsSync(join(folder, 'x.db'))).toBe(false)
})
