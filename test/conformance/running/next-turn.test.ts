import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { allCases } from '../../../src/conformance/cases/all-cases.ts'
import { Observation } from '../../../src/conformance/running/child/observe.ts'
import { runCase } from '../../../src/conformance/running/child/run-case.ts'
import { oddStores } from '../odd-stores.ts'

test('a loop of calls that are answered at once leaves the event loop its turns, in a turn of a session too', async () => {
  let isOver = false
  const store = new Observation().observe({
    getHistory: async () => [],
    withTurn: async (_: string, run: (turn: { getHistory: () => Promise<unknown[]> }) => Promise<void>) =>
      run({ getHistory: async () => [] }),
  })
  void after(5).then(() => {
    isOver = true
  })
  while (!isOver) await store.getHistory()
  isOver = false
  void after(5).then(() => {
    isOver = true
  })
  await store.withTurn('s', async (turn) => {
    while (!isOver) await turn.getHistory()
  })
})

test('neither does a loop of calls that are rejected at once', async () => {
  const store = new Observation().observe({ getHistory: () => Promise.reject(new Error('no')) })
  let isOver = false
  void after(5).then(() => {
    isOver = true
  })
  while (!isOver) await expect(store.getHistory()).rejects.toThrow('no')
})

const cached = oddStores.filter(({ name }) => name.startsWith('cached reads, writes'))

test.each(cached.map((store) => [store.name, store] as const))(
  '%s: a reader in a loop accuses nobody',
  async (_, definition) => {
    expect(cached.length).toBe(4)
    for (const id of ['adding.1/long-batches', 'trimming.8/nothing-added-meanwhile-is-lost']) {
      const one = allCases.find((each) => each.id === id) ?? expect.fail(id)
      expect(await runCase(one, { definition, module: null }, { seed: 1, deadline: 60_000 })).toBeNull()
    }
  },
)
