import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makeTemporaryFolder, sweepTemporaryFolders } from '../../src/golden/system/temporary-folder.ts'
import { finish, startChild } from '../support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('what a killed process left is removed; what others use, pages of today and strange folders stay', async () => {
  const root = await temporaryFolder()
  const child = startChild(new URL('./support/folder-owner.ts', import.meta.url), null, {
    env: { ...process.env, TMPDIR: root },
  })
  const { messages, code } = await finish<string[]>(child)
  const [left = '', page = '', oldPage = ''] = messages[0] ?? []
  expect(code).toBeNull()
  expect([left, page, oldPage].map(existsSync)).toEqual([true, true, true])
  writeFileSync(join(left, 'start.sqlite'), '')
  utimesSync(oldPage, 1, 1)

  vi.stubEnv('TMPDIR', root)
  try {
    const own = makeTemporaryFolder('golden')
    const [, world = ''] = /unforget-golden-([0-9a-f]{8})-\d+-/.exec(own) ?? []
    const elsewhere = left.replace(world, '00000000')
    const strange = join(root, 'unforget-golden-notes')
    for (const folder of [elsewhere, strange]) mkdirSync(folder)
    sweepTemporaryFolders()
    expect([own, page, elsewhere, strange].map(existsSync)).toEqual([true, true, true, true])
    expect([left, oldPage].map(existsSync)).toEqual([false, false])
  } finally {
    vi.unstubAllEnvs()
  }
})
