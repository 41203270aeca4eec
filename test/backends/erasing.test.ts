import { describe, expect, test } from 'vitest'
import { everyBackend } from './every-backend.ts'

const { cases } = await everyBackend()
const said = (content: string) => [{ role: 'user' as const, content }]

describe.each(cases)('%s', (_, open) => {
  test('a deletion that comes again tells what it did, and erases nothing that was begun after it', async () => {
    const { backend, store } = await open()
    const erase = (operation: string) => backend.erase('s', { operation }, performance.now() + 60_000)
    expect(await erase('none')).toBe(false)
    await store.addMessages('s', said('first'))
    expect(await erase('one')).toBe(true)
    await store.addMessages('s', said('second'))
    expect(await erase('one')).toBe(true)
    expect(await store.getHistory('s')).toEqual(said('second'))
    expect(await erase('none')).toBe(true)
    expect(await erase('none')).toBe(true)
    expect(await erase('two')).toBe(false)
    expect(await store.getHistory('s')).toEqual([])
  })
})
