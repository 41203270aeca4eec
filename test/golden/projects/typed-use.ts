import { withSnapshotDb as withJest } from 'unforget/golden/jest'
import { withSnapshotDb as withNode } from 'unforget/golden/node-test'
import { snapshotDb } from 'unforget/golden/vitest'
import { test as base } from 'vitest'

const options = { golden: 'start.sqlite', seed: (path: string) => path, inputs: [new URL('.', import.meta.url)] }

/** Not run: that this compiles is the test. */
export function useVitest(): void {
  const test = base.extend({ snapshotDb: snapshotDb({ ...options, volatile: { 'messages.id': 'uuid' } }) })
  test('a test', async ({ snapshotDb: db }) => db.step(db.path))
  test.for([1, 2])('a row of %i', (row, { snapshotDb: db }) => db.step(row.toFixed()))
  // @ts-expect-error there is no such option
  snapshotDb({ gold: 'start.sqlite' })
}

export function useJest(): void {
  const test = withJest(options)
  test('a test', ({ snapshotDb: db }) => db.step('one'), 1000)
  test.each([1, 2])('a row of %i', (row, { snapshotDb: db }) => [row.toFixed(), db.path])
  test.each([[1, 'one']])('a row of %i', (number, word, { snapshotDb: db }) => [number, word.trim(), db.path])
  test.each`
    a    | b
    ${1} | ${2}
  `('a row of $a', ({ a }, { snapshotDb: db }) => [a, db.path])
  test.concurrent
    .skip('a test', ({ snapshotDb: db }) => db.path)
  // @ts-expect-error a body is given an object
  test('a test', (db) => db.path)
}

export function useNode(): void {
  const test = withNode(options)
  test('a test', ({ snapshotDb: db }, t) => t.diagnostic(db.path))
  test('a test', { timeout: 1000 }, ({ snapshotDb: db }) => db.step('one'))
  test.todo('a test', ({ snapshotDb: db }) => db.path)
}
