import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { blocks, pages, programs, root, writePrograms } from './documentation-blocks.ts'

const run = promisify(execFile)
const { scratch } = writePrograms('documentation')

/** How each shell line of the documentation is proved. */
const proved = [
  /^npm ci && npm test\b/, // this is what runs these tests
  /^npm ci && npm run demo\b/, // test/demo
  /^npm install unforget$/, // test/project/package.test.ts
]

const ofBridges = 'docs-bridges-*.ts'

async function compile(files: { include: string[]; exclude?: string[] }, compilerOptions: object): Promise<void> {
  const settings = {
    extends: relative(scratch, join(root, 'tsconfig.build.json')),
    compilerOptions: { noEmit: true, rootDir: root, noUnusedLocals: false, ...compilerOptions },
    ...files,
  }
  await writeFile(join(scratch, 'tsconfig.json'), JSON.stringify(settings))
  await run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', scratch])
}

describe('every code block', () => {
  test('is of a language that is checked', () => {
    expect(blocks.length).toBeGreaterThan(5)
    for (const { name, language } of blocks) expect(['ts', 'sh', 'text', 'json', 'console'], name).toContain(language)
  })

  test('of TypeScript compiles, strictly, against the built package', async () => {
    await compile({ include: ['*.ts'], exclude: [ofBridges] }, { skipLibCheck: false })
  })

  test('of TypeScript that uses a framework compiles, strictly except for the declarations of the framework', async () => {
    await compile({ include: [ofBridges] }, { skipLibCheck: true })
  })

  test('of shell is a command that is proved elsewhere', () => {
    for (const { name, language, code } of blocks) {
      if (language !== 'sh') continue
      for (const line of code.trim().split('\n'))
        expect(
          proved.some((one) => one.test(line)),
          `${name}: ${line}`,
        ).toBe(true)
    }
  })
})

test('every link in the documentation leads somewhere', () => {
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g), ...text.matchAll(/\bsrc(?:set)?="([^"]+)"/g)]
    for (const [, target = ''] of links) {
      expect(existsSync(join(root, page, '..', target)), `${page}: ${target}`).toBe(true)
    }
  }
})

test('the README shows its sample in the first screen, in at most 15 lines', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const sample = programs.find(({ name }) => name.startsWith('README.md'))
  expect(sample?.code.trim().split('\n').length).toBeLessThanOrEqual(15)
  const firstScreen = readme.split('\n').slice(0, 32).join('\n')
  expect(firstScreen).toContain(sample?.code)
  expect(firstScreen).toContain('npm ci && npm run demo')
  expect(firstScreen).toContain('npm ci && npm test')
})
