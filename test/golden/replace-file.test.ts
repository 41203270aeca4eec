import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processMark } from '../../src/golden/system/process-mark.ts'
import { removeFile, replaceFile, replaceText } from '../../src/golden/system/replace-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs as somebody who is not root, for whom permissions hold. */
function asNobody(run: () => void): void {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    run()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

test('a file is put in the place of another in one step, in folders that are made on the way', async () => {
  const folder = await temporaryFolder()
  const target = join(folder, 'deep', 'down', 'target')
  replaceText('one', target)
  writeFileSync(join(folder, 'source'), 'two')
  replaceFile(join(folder, 'source'), target)
  expect(readFileSync(target, 'utf8')).toBe('two')
  expect(readdirSync(join(folder, 'deep', 'down'))).toEqual(['target'])
})

test('where nothing can be written there is a sentence, and what was there stays', async () => {
  const folder = await temporaryFolder()
  replaceText('kept', join(folder, 'golden'))
  chmodSync(folder, 0o555)
  asNobody(() => {
    for (const write of [
      replaceText.bind(null, 'lost', join(folder, 'golden')),
      removeFile.bind(null, join(folder, 'golden')),
    ]) {
      expect(write).toThrow(
        expect.objectContaining({ code: 'CANNOT_WRITE', message: expect.stringContaining('may not write') }),
      )
    }
  })
  expect(readFileSync(join(folder, 'golden'), 'utf8')).toBe('kept')
  expect(readdirSync(folder)).toEqual(['golden'])
})

test('a folder or a file in the way is a sentence, and stays', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'golden'))
  writeFileSync(join(folder, 'file'), '')
  expect(() => replaceText('x', join(folder, 'golden'))).toThrow(expect.objectContaining({ code: 'CANNOT_WRITE' }))
  expect(() => replaceText('x', join(folder, 'file', 'golden'))).toThrow(
    expect.objectContaining({ code: 'CANNOT_WRITE' }),
  )
  expect(readdirSync(folder).sort()).toEqual(['file', 'golden'])
})

test('what a process left that was killed while it wrote the file is removed with the next write', async () => {
  const folder = await temporaryFolder()
  const { pid } = spawnSync(process.execPath, ['--version'])
  const dead = processMark.replace(String(process.pid), String(pid))
  const target = join(folder, 'a.sqlite')
  const left = [
    `a.sqlite.${dead}-0011aabb.tmp`,
    `a.sqlite.${processMark}-0011aabb.tmp`,
    `b.sqlite.${dead}-0011aabb.tmp`,
  ]
  for (const name of left) writeFileSync(join(folder, name), '')
  replaceText('new', target)
  expect(readdirSync(folder).sort()).toEqual(['a.sqlite', ...left.slice(1)].sort())
})
