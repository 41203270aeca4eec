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
  const { refused, wrong } = await flipBits(folder, file, randomBits(statSync(file).size, 300, seed))
  expect(wrong, `of seed ${seed}`).toEqual([])
  expect(refused).toBeGreaterThan(0)
})

test('loss.6: an id of an operation that a flip turns into a blob, which sorts elsewhere, hides no other', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'sound.db')
  await writeRichFile(file)
  const text = readFileSync(file).toString('latin1')
  // In a record's header, 85 is a text of 36 bytes, and 84 a blob of 36.
  const types = [...text.matchAll(/U(?=.{3,5}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gs)]
  expect(types.length).toBeGreaterThan(8)
  const { refused, wrong } = await flipBits(
    folder,
    file,
    types.map(({ index }) => index * 8),
  )
  expect(wrong).toEqual([])
  expect(refused).toBeGreaterThan(0)
})
