import { join } from 'node:path'
import type { CannotProve, ProveOptions } from 'unforget/conformance'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { prove } from './support/built-kit.ts'
import { proved } from './support/proved.ts'
import { moduleOf, type StoreModule, storeModule } from './support/store-module.ts'

async function refusal(module: StoreModule, options: ProveOptions = {}): Promise<CannotProve> {
  return proved(module, options).then(
    () => expect.unreachable('it was proved'),
    (error: CannotProve) => error,
  )
}

describe('what cannot be proved is the fault of', () => {
  test.each([
    ['a module that throws', 'throw new Error("no driver")', 'my-store.mjs does not load: no driver'],
    ['a module without a default export', 'export const store = {}', 'my-store.mjs has no default export'],
    [
      'a definition without open',
      'export default { name: "x" }',
      'the default export of my-store.mjs: open: expected a function',
    ],
    [
      'a wrong capability',
      'export default { name: "x", open() {}, capabilities: { perfect: true } }',
      'the default export of my-store.mjs: capabilities: unknown name "perfect"; expected one of persistent,',
    ],
    [
      'an open that rejects',
      'export default { name: "x", open: async () => { throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) } }',
      'the store could not be opened: open rejected with Error (ECONNREFUSED): refused',
    ],
    [
      'an open that returns nothing',
      'export default { name: "x", open() {} }',
      'the store could not be opened: open returned undefined, which is not a store',
    ],
    [
      'an open that exits',
      'export default { name: "x", open: () => process.exit(3) }',
      'the store could not be opened: the process ended with exit code 3',
    ],
  ])('%s', async (_name, code, sentence) => {
    const error = await refusal(await moduleOf(code))
    expect(error).toMatchObject({ name: 'CannotProve', fault: 'store' })
    expect(error.message).toContain(sentence)
  })

  test('an open that hangs, and a module that blocks', async () => {
    const hangs = await moduleOf('export default { name: "x", open: () => new Promise(() => {}) }')
    const blocks = await moduleOf('for (;;);')
    for (const error of await Promise.all([hangs, blocks].map((module) => refusal(module, { deadline: 500 })))) {
      expect(error).toMatchObject({ name: 'CannotProve', fault: 'store' })
      expect(error.message).toBe(
        'the store could not be opened: did not end within 5.5 s; if it is only slow, try --deadline 10',
      )
    }
  })

  test('the machine, where there is no folder', async () => {
    const { url } = await storeModule()
    const nowhere = join(await temporaryFolder(), 'nowhere')
    await expect(prove(url, { folder: nowhere })).rejects.toMatchObject({ name: 'CannotProve', fault: 'kit' })
  })
})

test('what there is not is refused before anything runs', async () => {
  const { url } = await storeModule()
  await expect(prove(url, { cases: ['dreams.1'] })).rejects.toThrow('there is no case and no clause "dreams.1"')
  await expect(prove(url, { levels: ['dreams' as never] })).rejects.toThrow('there is no level "dreams"')
  await expect(prove(url, { seed: 0.5 })).rejects.toThrow('seed: expected a whole number')
  await expect(prove(url, { deadline: -1 })).rejects.toThrow('deadline: expected milliseconds')
})
