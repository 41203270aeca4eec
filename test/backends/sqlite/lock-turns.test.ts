import { beforeEach, expect, test } from 'vitest'
import { LockTurns } from '../../../src/backends/sqlite/lock-turns.ts'

let now = 0
let turns = new LockTurns()

beforeEach(() => {
  now = 1000
  turns = new LockTurns(() => now)
})

/** A transaction that takes a millisecond. Returns how long the lock was left alone before it. */
function transact(changes: string): number {
  const rest = turns.restNow()
  now += rest
  turns.begun(changes)
  now += 1
  turns.ended()
  return rest
}

const restsOf = (changes: readonly string[]) => changes.map(transact)

test('a process that writes alone never rests', () => {
  expect(restsOf(Array(50).fill('1'))).toEqual(Array(50).fill(0))
})

test('a process that sees others write rests after its turn, until nobody else wants to write', () => {
  expect(transact('1')).toBe(0)
  expect(restsOf(Array(6).fill('2'))).toEqual([0, 0, 0, 0, 3, 0])
  expect(restsOf(Array(20).fill('2'))).toEqual(Array(20).fill(0))
})

test('it rests again and again while others write in between', () => {
  expect(transact('1')).toBe(0)
  const rests = ['2', '3', '4', '5'].map((changes) => Math.max(...restsOf(Array(5).fill(changes))))
  expect(rests).toEqual([3, 3, 3, 3])
})

test('a process that writes now and then has rested enough', () => {
  for (const changes of ['1', '2', '3', '4', '5']) {
    expect(transact(changes)).toBe(0)
    now += 100
  }
})

test('the longer it has waited, the sooner it asks again, and never after the deadline', () => {
  const pauses: number[] = []
  for (let attempt = 0; attempt < 40; attempt++) {
    const pause = turns.waitAgain(Number.POSITIVE_INFINITY)
    pauses.push(pause)
    now += pause
  }
  expect(Math.min(...pauses.slice(0, 1))).toBeGreaterThanOrEqual(8)
  expect(Math.max(...pauses.slice(20))).toBeLessThanOrEqual(1.5)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0.5)
  expect(turns.waitAgain(now + 0.1)).toBeCloseTo(0.1)
  expect(turns.waitAgain(now - 5)).toBe(0)
})

test('whoever got the lock waits as long as anyone the next time', () => {
  turns.waitAgain(Number.POSITIVE_INFINITY)
  now += 200
  expect(turns.waitAgain(Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(1.5)
  transact('1')
  expect(turns.waitAgain(Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(8)
})
