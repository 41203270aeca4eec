import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { expectSetBack, planted } from '../set-back.ts'
import { serveFile } from './servers.ts'

const { server, bare } = await serveFile()

/** The key of this kind of session `s`, and of no other. */
async function keyOf(prefix: string, kind: string): Promise<string> {
  for (const key of await bare.keys(`${prefix}:*:state`)) {
    if ((await bare.hGet(key, 'id')) === 's') return key.replace(/state$/, kind)
  }
  return expect.fail('no key')
}

/** What a head of epoch 1 had there. */
async function firstEpoch(head: string): Promise<string> {
  const [birth, , nonce] = ((await bare.hGet(head, 'epoch')) ?? '').split(' ')
  return `${birth} 1 ${nonce?.split('.')[0]}`
}

test.each(['last', 'epoch', 'both'])(
  'loss.7: a session whose head was set back is lost for reads and writes: %s',
  async (what) => {
    const prefix = `set-back-${what}`
    await using memory = await openMemory(server.url, { prefix })
    const version = await planted(memory)
    const head = await keyOf(prefix, 'head')
    if (what !== 'epoch') await bare.hSet(head, 'last', '15')
    if (what !== 'last') await bare.hSet(head, 'epoch', await firstEpoch(head))
    await expectSetBack(memory, version)
  },
)

test('loss.7: a session that an earlier version wrote is noticed as well, and is taken on if it is whole', async () => {
  await using memory = await openMemory(server.url, { prefix: 'earlier' })
  const version = await planted(memory)
  const [state, head] = [await keyOf('earlier', 'state'), await keyOf('earlier', 'head')]
  await bare.hDel(state, 'epoch')
  expect(await memory.getHistory('s')).toHaveLength(18)
  await memory.addMessages('s', [{ role: 'user', content: 'goes on' }])
  expect(await bare.hGet(state, 'epoch')).toBe(await bare.hGet(head, 'epoch'))
  await bare.hDel(state, 'epoch')
  await bare.hSet(head, 'epoch', await firstEpoch(head))
  await expectSetBack(memory, version)
})
