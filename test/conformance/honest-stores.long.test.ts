import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { lookAt, missingFor } from '../../src/conformance/offers.ts'
import { runCase } from '../../src/conformance/running/child/run-case.ts'
import { oddStores } from './odd-stores.ts'

const folder = mkdtempSync(join(tmpdir(), 'unforget-odd-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('stores that are odd but honest pass every case they offer', () => {
  test('there are at least ten of them', () => expect(oddStores.length).toBeGreaterThanOrEqual(10))

  test.each(oddStores.map((store) => [store.name, store] as const))('%s', async (_, definition) => {
    const offer = await lookAt(definition, join(folder, 'look'))
    const offered = allCases.filter((one) => missingFor(one, offer).length === 0)
    expect(offered.length).toBeGreaterThanOrEqual(21)
    const failed: string[] = []
    for (const one of offered) {
      const failure = await runCase(one, { definition, module: null, folder }, { seed: 1, deadline: 30_000 })
      if (failure !== null) failed.push(`${one.id}: ${failure.message}`)
    }
    expect(failed).toEqual([])
  })
})
