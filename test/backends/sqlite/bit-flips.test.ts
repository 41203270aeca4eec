import { statSync } from 'node:fs'
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
