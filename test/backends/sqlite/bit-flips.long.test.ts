import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { flipBits, randomBits, writeRichFile } from './support/flip-bits.ts'

test('loss.6: of 5,000 bits that flip in a closed file, none is read as content', { timeout: 3_600_000 }, async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'sound.db')
  await writeRichFile(file)
  const seed = 20261117
  console.info(`bits of seed ${seed}`)
  const { refused, wrong } = await flipBits(folder, file, randomBits(statSync(file).size, 5000, seed))
  expect(wrong, `of seed ${seed}`).toEqual([])
  expect(refused).toBeGreaterThan(500)
})
