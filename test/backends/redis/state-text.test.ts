import { expect, test } from 'vitest'
import { lastToText, operationFromText } from '../../../src/backends/redis/state-text.ts'

const record = (answer: string) => `7 3 1000 birth 2 epoch nonce digest12 1 ${answer}`
const answerOf = (text: string) => operationFromText('s', record(text)).committed.answer

test('an answer is kept as JSON, and one that 0.1 kept as it was is read as well', () => {
  for (const answer of [null, '', '=', 'é\u0000 \ud800\n"', '[[1,2]]'])
    expect(answerOf(lastToText(answer))).toBe(answer)
  expect(answerOf('=[[1,2]]')).toBe('[[1,2]]')
  expect(answerOf('=')).toBe('')
})

test('an answer that cannot be read is lost memory', () => {
  expect(() => answerOf('"cut')).toThrow(expect.objectContaining({ code: 'MEMORY_LOST' }))
})
