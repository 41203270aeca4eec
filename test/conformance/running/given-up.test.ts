import { expect, test } from 'vitest'
import type { Case } from '../../../src/conformance/case.ts'
import { waiting } from '../../../src/conformance/cases/helpers/waiting.ts'
import { runCase } from '../../../src/conformance/running/child/run-case.ts'
import { defineStore } from '../../../src/conformance/store-definition.ts'
import { openMemory } from '../../../src/index.ts'

/** Counts the handles that are open. The second one that is asked for is opened when `mayOpen` ends. */
function countingStore(mayOpen: Promise<void>) {
  const open = new Set<object>()
  let asked = 0
  const definition = defineStore({
    name: 'counting',
    capabilities: {},
    async open() {
      asked += 1
      if (asked > 1) await mayOpen
      const store = await openMemory('memory:')
      open.add(store)
      return store
    },
    async close(store) {
      open.delete(store)
      await store.close()
    },
  })
  return { definition, open }
}

test.each([
  ['began to open before', true],
  ['opens after', false],
])('what a case %s it was given up does not stay open', async (_name, isBefore) => {
  const givenUp = waiting()
  let outcome: Promise<unknown> = Promise.resolve()
  const { definition, open } = countingStore(isBefore ? givenUp.promise : Promise.resolve())
  const one: Case = {
    id: 'given.1/up',
    clause: 'given.1',
    level: 'core',
    needs: [],
    title: 'it opens something too late',
    async run(context) {
      if (!isBefore) await givenUp.promise
      outcome = context.open().catch((error: Error) => error.message)
      await outcome
    },
  }
  const failure = await runCase(one, { definition, module: null }, { seed: 1, deadline: 200 })
  expect(failure?.kind).toMatch(/slow|hung/)
  givenUp.end()
  await expect.poll(() => outcome).toBe('the case has ended')
  await expect.poll(() => open.size).toBe(0)
})
