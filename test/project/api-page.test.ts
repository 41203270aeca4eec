import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type ApiExport, type Documented, readApi } from '../../scripts/api-page/read-api.ts'
import { anchor, renderApi } from '../../scripts/api-page/render-api.ts'
import { requireFreshBuild } from '../support/fresh-build.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const api = readApi()
const main = api[0]?.exports ?? []
const classNamed = (name: string) => main.find((one) => one.name === name) as ApiExport
const methodsOf = ({ members }: ApiExport) => members.filter(({ signature }) => signature.includes('('))
const store = methodsOf(classNamed('MemoryStore'))
const session = methodsOf(classNamed('SessionMemory'))
const tag = ({ tags }: Documented, wanted: string) => tags.find(({ name }) => name === wanted)?.text
const codesIn = (text = '') => new Set(text.match(/\b[A-Z]+_[A-Z_]+\b/g))

const page = readFileSync(join(root, 'docs', 'api.md'), 'utf8')

test('docs/api.md says what the doc comments say', () => {
  expect(page === renderApi(api), 'docs/api.md is stale: npm run api').toBe(true)
})

test('every link within docs/api.md leads to one heading', () => {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading))
  expect(headings.filter((one, index) => headings.indexOf(one) !== index)).toEqual([])
  for (const [, target] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(target)
})

test('every export of the package, and every field and method of it, has a doc comment', () => {
  const undocumented = main.flatMap((one) =>
    [one, ...one.members].filter(({ text }) => text === '').map(({ name }) => `${one.name}.${name}`),
  )
  expect(main.length).toBeGreaterThan(90)
  expect(undocumented).toEqual([])
})

test('every method says what it returns, what it can throw and what it costs', () => {
  expect(store.length).toBeGreaterThanOrEqual(29)
  expect(session.length).toBeGreaterThanOrEqual(20)
  for (const method of [...store, ...session]) {
    for (const fact of ['returns', 'throws', 'cost']) expect(tag(method, fact), `${method.name}: @${fact}`).toBeTruthy()
    expect(method.signature, 'a result without a type reads as import("./types.ts") in an editor').toMatch(/\): \S/)
  }
})

test('a method of a session throws and costs what the same method of the store does', () => {
  for (const method of session) {
    const same = store.find(({ name }) => name === method.name) as Documented
    expect(codesIn(tag(method, 'throws')), method.name).toEqual(codesIn(tag(same, 'throws')))
    expect(tag(method, 'cost'), method.name).toBe(tag(same, 'cost'))
  }
})

test('every error code is explained, and no other is named', () => {
  const types = [classNamed('ErrorCode'), classNamed('BackendErrorCode')]
  const codes = types.flatMap(({ signature }) => [...signature.matchAll(/'(\w+)'/g)].map(([, code]) => code))
  const explained = types.flatMap(({ text }) => [...text.matchAll(/^- `(\w+)`: \S/gm)].map(([, code]) => code))
  expect(codes.length).toBeGreaterThan(20)
  expect(new Set(explained)).toEqual(new Set(codes))
  for (const method of [...store, ...session]) {
    for (const code of codesIn(tag(method, 'throws'))) expect(codes, method.name).toContain(code)
  }
})

test('no public declaration reads import("…"), which is what an editor would show', () => {
  requireFreshBuild()
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string }>
  }
  const entries = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [] : target.types))
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const text = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    expect(text.match(/.*\bimport\(.*/)?.[0], file).toBeUndefined()
    for (const [, target = ''] of text.matchAll(/from ['"](\.[^'"]+)\.(?:ts|js)['"]/g)) {
      visit(join(dirname(file), `${target}.d.ts`))
    }
  }
  for (const entry of entries) visit(join(root, entry))
  expect(seen.size).toBeGreaterThan(50)
})
