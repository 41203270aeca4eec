import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { scalingTable } from '../../bench/scaling-table.ts'

test('docs/scaling.md holds what the last full run of the bench measured', async () => {
  const { rows } = JSON.parse(await readFile(new URL('../../bench/results.json', import.meta.url), 'utf8'))
  const page = await readFile(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const lines = scalingTable(rows)
  expect(lines.length).toBe(10)
  expect(page).toContain(lines.join('\n'))
})
