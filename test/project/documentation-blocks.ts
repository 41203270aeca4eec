import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A code block of the documentation; its name says where it is. */
export interface Block {
  readonly name: string
  readonly language: string
  readonly code: string
}

export const pages: readonly string[] = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
].filter((name) => name.endsWith('.md'))

export const blocks: readonly Block[] = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => {
    const line = text.slice(0, text.indexOf(code)).split('\n').length
    return { name: `${page}:${line}`, language, code }
  })
})

export const programs = blocks.filter(({ language }) => language === 'ts')

/** The programs as files in a folder of the test file's own, within the repository so that they find the package. */
export function writePrograms(folder: string): { scratch: string; fileOf: (program: Block) => string } {
  const scratch = join(root, '.scratch', folder)
  const fileOf = ({ name }: Block) => join(scratch, `${name.replaceAll(/[^\w]+/g, '-')}.ts`)
  beforeAll(async () => {
    await rm(scratch, { recursive: true, force: true })
    await mkdir(scratch, { recursive: true })
    for (const program of programs) await writeFile(fileOf(program), program.code)
  })
  afterAll(() => rm(scratch, { recursive: true, force: true }))
  return { scratch, fileOf }
}
