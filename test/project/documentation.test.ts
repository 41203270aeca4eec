import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const scratch = join(root, '.scratch', 'documentation')
const tsx = pathToFileURL(join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href

const pages = [
  ...(await readdir(root)).filter((name) => name.endsWith('.md')),
  ...(await readdir(join(root, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

interface Block {
  name: string
  language: string
  code: string
}

const blocks: Block[] = []
for (const page of pages) {
  const text = await readFile(join(root, page), 'utf8')
  for (const [, language = '', code = ''] of text.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
    const line = text.slice(0, text.indexOf(code)).split('\n').length
    blocks.push({ name: `${page}:${line}`, language, code })
  }
}

const programs = blocks.filter(({ language }) => language === 'ts')
const fileOf = ({ name }: Block) => join(scratch, `${name.replaceAll(/[^\w]+/g, '-')}.ts`)

/** How each shell line of the documentation is proved. */
const proved = [
  /^npm ci && npm test\b/, // this is what runs these tests
  /^npm ci && npm run demo\b/, // test/demo
  /^npm install unforget$/, // test/project/package.test.ts
]

beforeAll(async () => {
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch, { recursive: true })
  for (const program of programs) await writeFile(fileOf(program), program.code)
  const settings = {
    extends: relative(scratch, join(root, 'tsconfig.build.json')),
    compilerOptions: { noEmit: true, rootDir: root, noUnusedLocals: false },
    include: ['*.ts'],
  }
  await writeFile(join(scratch, 'tsconfig.json'), JSON.stringify(settings))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

describe('every code block', () => {
  test('is of a language that is checked', () => {
    expect(blocks.length).toBeGreaterThan(5)
    for (const { name, language } of blocks) expect(['ts', 'sh', 'text', 'json', 'console'], name).toContain(language)
  })

  test('of TypeScript compiles, strictly, against the built package', async () => {
    await run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', scratch])
  })

  test.each(programs.map((program) => [program.name, program] as const))(
    '%s runs, and prints what it says',
    async (_name, program) => {
      const { stdout } = await run(process.execPath, ['--import', tsx, fileOf(program)], {
        cwd: await temporaryFolder(),
      })
      for (const [, promised] of program.code.matchAll(/console\.log\(.*\) \/\/ ([^:\n]+)/g)) {
        const oneLine = stdout.replaceAll(/\s+/g, ' ')
        expect(oneLine).toContain(promised?.trim())
      }
    },
  )

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

test('every link in the documentation leads somewhere', async () => {
  const { existsSync } = await import('node:fs')
  for (const page of pages) {
    const text = await readFile(join(root, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
      expect(existsSync(join(root, page, '..', target)), `${page}: ${target}`).toBe(true)
    }
  }
})

test('the README shows its sample in the first screen, in at most 15 lines', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const sample = programs.find(({ name }) => name.startsWith('README.md'))
  expect(sample?.code.trim().split('\n').length).toBeLessThanOrEqual(15)
  const firstScreen = readme.split('\n').slice(0, 32).join('\n')
  expect(firstScreen).toContain(sample?.code)
  expect(firstScreen).toContain('npm ci && npm run demo')
  expect(firstScreen).toContain('npm ci && npm test')
})
