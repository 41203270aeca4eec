import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Which folders of src/ each may import from, beside itself. Files at the top may import from all. */
const mayImport: Record<string, readonly string[]> = {
  core: [],
  driver: [],
  backends: ['core', 'driver'],
  faults: ['core'],
  conformance: ['core', 'faults'],
  golden: ['driver'],
  testing: ['faults'],
  cli: ['core', 'backends', 'faults', 'conformance', 'golden', 'open-memory.ts', 'index.ts'],
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8')
  const specifiers = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, specifier]) => specifier ?? '')
  return specifiers.map((specifier) => relative(source, resolve(source, dirname(file), specifier)))
}

test.each(files)('%s imports only what it may', (file) => {
  const [folder = '', part = ''] = file.split(sep)
  if (!file.includes(sep)) return
  expect(Object.keys(mayImport)).toContain(folder)
  for (const imported of importsOf(file)) {
    const [target = '', targetPart = ''] = imported.split(sep)
    const isGoldfish = folder === 'conformance' && part === 'goldfish'
    expect([folder, ...(mayImport[folder] ?? []), ...(isGoldfish ? ['backends', 'testing'] : [])], imported).toContain(
      target,
    )
    if (folder === 'backends' && target === 'backends') expect(targetPart).toBe(part)
  }
})

test('the check sees the imports there are', () => {
  expect(importsOf(join('backends', 'sqlite', 'apply-change.ts'))).toContain(join('core', 'advance.ts'))
  expect(importsOf('open-memory.ts')).toContain(join('backends', 'sqlite', 'sqlite-backend.ts'))
})
