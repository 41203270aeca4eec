import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { goldenFolder } from '../../src/golden/files/golden-names.ts'
import { openSnapshotDb } from '../../src/golden/snapshot-db.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ownBackend } from './own-backend-config.ts'

const steps = new URL('./own-backend-steps.ts', import.meta.url)
const soundFile = fileURLToPath(new URL('./own-backend.test.ts', import.meta.url))
const testName = 'what one process saved another rolls back, and every snapshot stays'

test.each([
  ['rollBackAndWipeSnapshots', ['snapshots: 3 rows removed']],
  ['rollBackAndWipeConversation', ['entries: 4 rows removed']],
])('the golden test of our own backend fails if a rollback does %s', async (rollback, lost) => {
  const testFile = join(await temporaryFolder(), 'own-backend.test.ts')
  await cp(goldenFolder(soundFile), goldenFolder(testFile), { recursive: true })
  const db = await openSnapshotDb({ ...ownBackend, testFile, testName, testId: 'bug', mode: 'none' })
  await db.process(steps, 'saveAndExit', { session: 'user-42' })
  await db.step('saved')
  await db.process(steps, rollback, { session: 'user-42' })
  const { error, counts } = await db.finish({ passed: true })
  expect(counts).toEqual({ added: 0, matched: 1, updated: 0, unmatched: 1 })
  const told = [...(error?.message ?? '').matchAll(/^table (.*)$/gm)].map(([, line]) => line)
  expect(told).toEqual(lost)
})
