import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { flipBits, randomBits, writeRichFile } from './support/flip-bits.ts'

test('loss.6: a bit that flips in a closed file is never read as content', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'sound.db')
  await writeRichFile(file)
  const seed = 20261117
  const { refused, wrong } = await flipBits(folder, file, randomBits(statSync(file).size, 100, seed))
  expect(wrong, `of seed ${seed}`).toEqual([])
  expect(refused).toBeGreaterThan(0)
})

test('loss.6: an id of an operation that a flip turns into a blob, which sorts elsewhere, hides no other', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'sound.db')
  await writeRichFile(file)
  const text = readFileSync(file).toString('latin1')
  // In a record's header, 27 is a text of 7 bytes, and 26 a blob of 7.
  const ids = [...text.matchAll(/turn \d\d/g)].map(({ index }) => index)
  const types = ids.map((id) => text.lastIndexOf('\u001b', id)).filter((type, index) => type > (ids[index] ?? 0) - 9)
  expect(types.length).toBeGreaterThan(8)
  const { refused, wrong } = await flipBits(
    folder,
    file,
    types.map((type) => type * 8),
  )
  expect(wrong).toEqual([])
  expect(refused).toBeGreaterThan(0)
})

test('loss.6: an operation that a flip gives to an earlier session, which hides those next to it, is missed', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'sound.db')
  await writeRichFile(file)
  const text = readFileSync(file).toString('latin1')
  // The number of the session is right before the id of the operation.
  const ids = [...text.matchAll(/turn \d[05]/g)].map(({ index }) => index)
  const numbers = ids.map((id) => id - 1).filter((number) => text.charCodeAt(number) === 2)
  expect(numbers.length).toBeGreaterThan(8)
  const toZero = 1
  const { refused, wrong } = await flipBits(
    folder,
    file,
    numbers.map((number) => number * 8 + toZero),
  )
  expect(wrong).toEqual([])
  expect(refused).toBeGreaterThan(8)
})

test('loss.6: an id that a flip moves out of its order in the index does not make the pages of sessions go round', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'sound.db')
  await writeRichFile(file)
  const text = readFileSync(file).toString('latin1')
  const ids = [...text.matchAll(/other user number \d7/g)].map(({ index }) => index)
  expect(ids.length).toBeGreaterThan(8)
  const toLaterLetter = 4
  const { wrong } = await flipBits(
    folder,
    file,
    ids.map((id) => id * 8 + toLaterLetter),
  )
  expect(wrong).toEqual([])
})
