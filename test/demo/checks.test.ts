import { describe, expect, test } from 'vitest'
import * as checks from '../../examples/demo/checks.ts'
import { conversation } from '../../examples/demo/conversation.ts'
import { Narrator } from '../../examples/demo/narrator.ts'
import { rubbishTurn } from '../../examples/demo/rubbish-turn.ts'
import type { ChatMessage, Entry, Recalled } from '../../src/index.ts'

const toEntries = (messages: ChatMessage[]): Entry[] =>
  messages.map((message, index) => ({ kind: 'message', seq: index + 8, at: 0, message }))
const turns = (...numbers: number[]) => toEntries(numbers.flatMap(rubbishTurn))

const { text, embedding } = conversation.summary
const recalled = (found: Float32Array | undefined): Recalled[] => [
  { seq: 7, score: 1, summary: { text, ...(found && { embedding: found }) } },
]
const saved = { id: 's', label: 'saved', automatic: false, at: 1, entries: 7 }
const left = { id: 'l', label: null, automatic: true, at: 2, entries: 9 }
const killed = { code: null, signal: 'SIGKILL' } as const

describe('checks hold on what the demo should see', () => {
  test.each([
    ['ending', checks.checkEnding('', killed, { ...killed })],
    ['same', checks.checkSame('', turns(1, 2), turns(1, 2))],
    ['in flight', checks.checkInFlight([1, 2, 3], [1, 2])],
    ['acknowledged', checks.checkAcknowledged([1, 2], turns(1, 2))],
    ['acknowledged, and one that was in flight', checks.checkAcknowledged([1, 2], turns(1, 3, 2))],
    ['whole turns', checks.checkWholeTurns([1, 2, 3], turns(1, 3, 2))],
    ['whole turns, some not arrived', checks.checkWholeTurns([1, 2, 3], turns(1))],
    ['snapshots', checks.checkSnapshots([saved, left], [saved, { ...left, at: 3 }])],
    ['verified', checks.checkVerified({ ok: true, sessions: 1, entries: 9, damage: [] })],
    ['recalled', checks.checkRecalled({ text, embedding }, recalled(embedding.slice()))],
    ['separate', checks.checkSeparate([1, 2, 3, 4])],
  ])('%s', (_, check) => {
    expect(check.held).toBe(true)
  })
})

describe('checks fail on anything less', () => {
  test.each([
    ['a process that exited by itself', checks.checkEnding('', killed, { code: 0, signal: null })],
    ['a shorter history', checks.checkSame('', turns(1, 2), turns(1))],
    ['a longer history', checks.checkSame('', turns(1), turns(1, 2))],
    ['an empty history', checks.checkSame('', turns(1), [])],
    ['another order', checks.checkSame('', turns(1, 2), turns(2, 1))],
    ['one bit of an embedding', checks.checkSame('', [{ embedding }], [{ embedding: embedding.map((x) => x + 0) }])],
    ['nothing in flight', checks.checkInFlight([1, 2], [1, 2])],
    ['nothing acknowledged', checks.checkInFlight([1, 2], [])],
    ['an acknowledged turn lost', checks.checkAcknowledged([1, 2], turns(1))],
    ['half of an acknowledged turn lost', checks.checkAcknowledged([1, 2], turns(1, 2).slice(0, -1))],
    ['an acknowledged turn there twice', checks.checkAcknowledged([1, 2], turns(1, 2, 2))],
    ['no acknowledged turn to look for', checks.checkAcknowledged([], turns(1))],
    ['half a turn', checks.checkWholeTurns([1, 2], turns(1, 2).slice(0, -1))],
    ['the other half of a turn', checks.checkWholeTurns([1, 2], turns(1, 2).toSpliced(2, 1))],
    ['a turn that nobody began', checks.checkWholeTurns([1, 2], turns(1, 3))],
    ['a message that is not of a turn', checks.checkWholeTurns([1], toEntries([{ role: 'user', content: 'hello' }]))],
    ['a saved snapshot wiped', checks.checkSnapshots([saved, left], [left])],
    ['an automatic snapshot wiped', checks.checkSnapshots([saved, left], [saved])],
    ['a snapshot that lost entries', checks.checkSnapshots([saved], [{ ...saved, entries: 0 }])],
    [
      'damage',
      checks.checkVerified({ ok: false, sessions: 1, entries: 9, damage: [{ session: 's', seqs: [1], reason: '' }] }),
    ],
    ['no session', checks.checkVerified({ ok: true, sessions: 0, entries: 0, damage: [] })],
    ['no summary', checks.checkRecalled({ text, embedding }, [])],
    ['a summary without its embedding', checks.checkRecalled({ text, embedding }, recalled(undefined))],
    ['minus zero turned zero', checks.checkRecalled({ text, embedding }, recalled(embedding.map((x) => x + 0)))],
    ['two processes that are one', checks.checkSeparate([1, 2, 3, 3])],
  ])('%s', (_, check) => {
    expect(check.held).toBe(false)
    expect(check.seen).not.toBe(check.expected)
  })
})

test('a failed check says what was expected and what was seen, and makes the exit code 1', () => {
  const printed: string[] = []
  const narrator = new Narrator((line) => printed.push(line), false)
  narrator.check(checks.checkSeparate([1, 2]))
  narrator.check(checks.checkSnapshots([saved, left], [left]))
  expect(narrator.end('agent.db')).toBe(1)
  expect(printed).toEqual([
    '  ok these were 2 different processes',
    expect.stringMatching(/^ {2}FAILED all 2 snapshots .*\n {4}expected: 2 items, .*"saved".*\n {4}seen: {5}1 items, /),
    expect.stringContaining('1 of 2 checks failed.'),
  ])
})

test('without a failed check the exit code is 0', () => {
  const narrator = new Narrator(() => {}, false)
  narrator.check(checks.checkSeparate([1, 2]))
  expect(narrator.end('agent.db')).toBe(0)
})
