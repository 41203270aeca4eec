import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../../examples/tracing/tracing.ts', import.meta.url))

test('the example prints a span for every call, each under the one that it was made in', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', example])
  expect(stdout.replaceAll(/ [\d.]+ ms$/gm, '').split('\n')).toEqual([
    '  unforget.addMessages session=user-42 attempt=1 ok',
    '  unforget.getHistory session=user-42 attempt=1 ok',
    'unforget.withTurn session=user-42 attempt=1 ok',
    'unforget.rollbackToSnapshot session=user-42 attempt=1 failed with SNAPSHOT_NOT_FOUND',
    'unforget.health session=null attempt=1 ok',
    '',
  ])
  expect(stdout).not.toContain('Wang')
})
