import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { StructureCheck } from '../../../src/backends/sqlite/structure-check.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const soon = 60_000

test('a file that is locked is not reported as damaged: the check fails', async () => {
  const file = join(await temporaryFolder(), 'locked.db')
  const database = new Database(file)
  onTestFinished(() => void database.close())
  database.exec('CREATE TABLE one (id); BEGIN EXCLUSIVE')
  await expect(new StructureCheck(file).wait(soon)).rejects.toThrow('database is locked')
  database.exec('COMMIT')
  expect(await new StructureCheck(file).wait(soon)).toEqual([])
})

test('a file that is not a database is damage', async () => {
  const file = join(await temporaryFolder(), 'text.db')
  writeFileSync(file, 'not a database'.repeat(100))
  expect(await new StructureCheck(file).wait(soon)).toEqual(['file is not a database'])
})
