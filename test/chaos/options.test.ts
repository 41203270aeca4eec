import { expect, test } from 'vitest'
import { help, readOptions } from '../../chaos/options.ts'
import { parts } from '../../chaos/parts.ts'

const names = parts.map(({ name }) => name)

test('every part is named once and described in the help', () => {
  expect(new Set(names).size).toBe(names.length)
  for (const { name, what } of parts) expect(help(parts)).toContain(`${name.padEnd(13)}${what}`)
})

test('options are read, and wrong ones are told', () => {
  expect(readOptions(['--only', 'kills, power', '--minutes', '0.5', '--seed', '7', '--json'], names)).toMatchObject({
    only: ['kills', 'power'],
    minutes: 0.5,
    seed: 7,
    json: true,
    write: false,
  })
  expect(readOptions([], names)).toMatchObject({ only: names, minutes: 20, most: undefined })
  expect(() => readOptions(['--only', 'nothing'], names)).toThrow("there is no part 'nothing'")
  expect(() => readOptions(['--minutes', '-1'], names)).toThrow('--minutes')
  expect(() => readOptions(['--loud'], names)).toThrow('--loud')
})
