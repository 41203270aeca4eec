import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseMemoryManager } from '../choose-memory-manager.ts'
import type { MemoryManager } from '../memory-manager.ts'

/** An empty database, one process: green, whatever the rollback does to the tables. */
let memory: MemoryManager
beforeEach(() => {
  const Chosen = chooseMemoryManager()
  memory = new Chosen(':memory:')
})
afterEach(() => memory.close())

test('remembers the turns of a session', () => {
  memory.addTurn('s1', { role: 'user', content: 'My name is Wang' })
  memory.addTurn('s1', { role: 'assistant', content: 'Hello Wang' })
  expect(memory.getHistory('s1').map(({ content }) => content)).toEqual(['My name is Wang', 'Hello Wang'])
  expect(memory.getHistory('s2')).toEqual([])
})

test('saves a snapshot', () => {
  memory.addTurn('s1', { role: 'user', content: 'My name is Wang' })
  const id = memory.saveSnapshot('s1', 'introduced')
  expect(memory.listSnapshots('s1')).toEqual([{ id, label: 'introduced' }])
})

test('rolls back dirty data to a snapshot', () => {
  memory.addTurn('s1', { role: 'user', content: 'My name is Wang' })
  const id = memory.saveSnapshot('s1', 'introduced')
  memory.addTurn('s1', { role: 'assistant', content: 'Hello Zhang' })
  memory.rollbackToSnapshot('s1', id)
  expect(memory.getHistory('s1')).toEqual([{ role: 'user', content: 'My name is Wang' }])
})

test('does not roll back to a missing snapshot', () => {
  expect(() => memory.rollbackToSnapshot('s1', 'none')).toThrow('no snapshot')
})
