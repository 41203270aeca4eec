import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { leadsToGoldens } from '../../src/golden/files/leads-to-goldens.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const plain = "import { test } from 'node:test'\nimport './helper.js'\ntest('adds', () => {})\n"
const installed = {
  'node_modules/vitest/package.json': '{ "name": "vitest" }',
  'node_modules/@my/fixtures/package.json': '{ "peerDependencies": { "unforget": "*" } }',
}

const files: [name: string, files: Record<string, string>, leads: boolean][] = [
  ['a file that loads nothing of ours', { 'a.test.ts': plain, 'helper.ts': "import data from './data.json'" }, false],
  ['an installed package', { 'a.test.ts': "import { test } from 'vitest'\nexport * from '@my/other'" }, true],
  [
    'only installed packages',
    { 'a.test.ts': "import { test } from 'vitest'\nconst fs = require('fs')\nimport '@jest/globals'" },
    false,
  ],
  ['a package that may use ours', { 'a.test.ts': "import { test } from '@my/fixtures'" }, true],
  ['ours', { 'a.test.ts': "import { snapshotDb as db } from 'unforget/golden/vitest'" }, true],
  [
    'ours, two files away, in a circle',
    {
      'a.test.ts': "import { test } from './support'",
      'support/index.ts': "import '../a.test'; export { test } from './test.js'",
      'support/test.ts': "export { test } from 'unforget/golden/jest'",
    },
    true,
  ],
  ['a global of a setup file', { 'a.test.ts': "test('a', ({ snapshotDb }) => {})" }, true],
  ['an alias', { 'a.test.ts': "import { test } from '@/fixtures'" }, true],
  ['a file that is not there', { 'a.test.ts': "import { test } from './fixtures'" }, true],
  ['a computed name', { 'a.test.ts': 'await import(`./$' + '{name}.ts`)' }, true],
  ['a name that is computed elsewhere', { 'a.test.ts': 'const { test } = await import(fixtures)' }, true],
  ['many files at once', { 'a.test.ts': "import.meta.glob('./*.ts')" }, true],
]

test.each(files)('%s', async (_name, written, leads) => {
  const folder = await temporaryFolder()
  for (const [name, text] of Object.entries({ ...installed, ...written, 'data.json': '{}' })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  expect(leadsToGoldens(join(folder, 'a.test.ts'))).toBe(leads)
})

test('a package of the same repository may load anything', async () => {
  const folder = await temporaryFolder()
  for (const name of ['node_modules', 'fixtures']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'fixtures', 'package.json'), '{}')
  symlinkSync(join('..', 'fixtures'), join(folder, 'node_modules', 'fixtures'))
  writeFileSync(join(folder, 'a.test.ts'), "import { test } from 'fixtures'")
  expect(leadsToGoldens(join(folder, 'a.test.ts'))).toBe(true)
})
