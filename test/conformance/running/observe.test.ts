import { expect, test } from 'vitest'
import { Observation } from '../../../src/conformance/running/child/observe.ts'
import { openMemory } from '../../../src/open-memory.ts'

test('calls of a handle on a session are noted with the session, and so are those of a turn', async () => {
  const observation = new Observation()
  await using memory = await openMemory('memory:')
  const store = observation.observe(memory)
  await store.addMessages('other', [{ role: 'user', content: 'not this one' }])
  const handle = store.session('mine')
  await handle.addMessages([{ role: 'user', content: 'hello' }])
  await handle.withTurn((turn) => turn.clear())
  const history = await handle.getHistory()
  expect(observation.concernedBy(history, '')).toMatchObject({ text: 'getHistory()', session: 'mine' })
  expect(observation.calls('mine').map((text) => text.replace(/\(.*/s, ''))).toEqual([
    'session',
    'addMessages',
    'withTurn',
    'clear',
    'getHistory',
  ])
  expect(observation.calls('other')).toHaveLength(1)
})
