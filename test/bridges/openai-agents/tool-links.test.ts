import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { AgentInputItem } from '@openai/agents-core'
import { openMemory } from 'unforget'
import { UnforgetSession } from 'unforget/openai-agents'
import { expect, test } from 'vitest'
import { pairs } from '../../../src/conformance/cases/full/generated/every-pair.ts'
import { adjacent, toolLinks } from '../../../src/core/tool-links.ts'
import { itemsOfEveryKind } from './items-of-every-kind.ts'

type Correlate = (item: object) => { id: string } | undefined

/** The SDK's own rule of what answers what, which it does not export. */
const require = createRequire(import.meta.url)
const rule = require(join(dirname(require.resolve('@openai/agents-core')), 'runner/toolResultCorrelation.js')) as {
  getToolResultCorrelationForCall: Correlate
  getToolResultCorrelationForResult: Correlate
}
const idsBy = (correlate: Correlate, item: object) => [correlate(item)?.id].filter((id) => id !== undefined)

/** A search that the provider ran: the SDK leaves it alone, and the API wants both of its items or none. */
const isServerSearch = (item: object) => /"tool_search_.*"execution":"server"/.test(JSON.stringify(item))

const itemsOfTheKit = Object.values(pairs['agents'] ?? {}).flat()

test('the links of an item are those by which the SDK finds the results of calls', () => {
  const items = [...itemsOfEveryKind, ...itemsOfTheKit].filter((item) => !isServerSearch(item))
  for (const item of items) {
    const { calls, answers } = toolLinks({ ...item })
    expect(calls, JSON.stringify(item)).toEqual(idsBy(rule.getToolResultCorrelationForCall, item))
    expect(answers, JSON.stringify(item)).toEqual(idsBy(rule.getToolResultCorrelationForResult, item))
  }
})

test('kinds of items without links are those that need none', () => {
  const linked = new Set(
    [...itemsOfEveryKind, ...itemsOfTheKit]
      .filter((item) => toolLinks({ ...item }).calls.length + toolLinks({ ...item }).answers.length > 0)
      .map(({ type }) => type),
  )
  const kinds = new Set(itemsOfEveryKind.map(({ type = 'message' }) => type))
  const alone = [...kinds].filter((type) => !linked.has(type))
  expect(new Set(alone)).toEqual(new Set(['compaction', 'message', 'reasoning', 'unknown']))
})

test('every pair of the kit is linked', () => {
  for (const [family, ways] of Object.entries(pairs)) {
    for (const [way, [call, result]] of Object.entries(ways)) {
      const { calls } = toolLinks(call)
      const { answers } = toolLinks(result)
      expect(calls, `${family}, ${way}`).toHaveLength(1)
      expect([calls, [adjacent]], `${family}, ${way}`).toContainEqual(answers)
    }
  }
})

test('no cut separates the items of a session that belong together', async () => {
  const memory = await openMemory('memory:')
  const items: AgentInputItem[] = [...itemsOfEveryKind, { role: 'user', content: 'more' }]
  const indexOf = (type: string, from = 0) => items.findIndex((item, index) => index >= from && item.type === type)
  const serverSearch: [number, number] = [indexOf('tool_search_call'), indexOf('tool_search_output')]
  const made = new Map(
    items.flatMap((item, at) => idsBy(rule.getToolResultCorrelationForCall, item).map((id) => [id, at])),
  )
  const answered = items.flatMap((item, at): [number, number][] =>
    idsBy(rule.getToolResultCorrelationForResult, item).flatMap((id) =>
      made.has(id) ? [[made.get(id) ?? 0, at]] : [],
    ),
  )
  const together = [...answered, serverSearch, [indexOf('reasoning'), indexOf('reasoning') + 1] as const]
  expect(together).toHaveLength(10)
  for (let maxEntries = 1; maxEntries < items.length; maxEntries++) {
    const id = `at most ${maxEntries}`
    await new UnforgetSession(memory.session(id)).addItems(items)
    await memory.trim(id, { maxEntries })
    const cut = items.length - (await memory.getHistory(id)).length
    for (const [first, last] of together) expect(first < cut && cut <= last, `${id} cuts at ${cut}`).toBe(false)
    expect(items.length - cut, id).toBeLessThanOrEqual(maxEntries)
  }
})
