import { expect, test } from 'vitest'
import { howToBuild, tooNewFor } from '../../src/driver/driver-advice.ts'

test.each([
  ['20.20.2', '9'],
  ['22.13.1', '9'],
  ['23.5.0', '9'],
])('driver 13 is not loaded on Node %s, and both ways out are named', (node, napi) => {
  const problem = tooNewFor('13.0.3', { node, napi })
  expect(problem).toContain(`this is Node ${node}`)
  expect(problem).toContain('upgrade Node')
  expect(problem).toContain('npm install better-sqlite3@12')
})

test.each([
  ['12.11.1', '20.20.2', '9'],
  ['12.11.1', '26.10.0', '10'],
  ['13.0.3', '22.14.0', '10'],
  ['14.0.0', '26.10.0', '10'],
])('driver %s is loaded on Node %s', (version, node, napi) => {
  expect(tooNewFor(version, { node, napi })).toBeNull()
})

test.each([
  [
    '12.11.1',
    '9',
    'npm rebuild better-sqlite3 (after npm install-scripts approve better-sqlite3 if npm blocks its script)',
  ],
  ['12.11.1', '10', 'npm install better-sqlite3@13'],
  ['13.0.3', '10', 'npm install better-sqlite3@12'],
])('driver %s without a binary, on Node-API %s: %s', (version, napi, command) => {
  expect(howToBuild(version, { node: '22.14.0', napi })).toBe(command)
})
