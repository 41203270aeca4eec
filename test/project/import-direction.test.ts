import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mayImport, partsApart } from './rooms.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll(sep, '/'))

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8').replaceAll(/\/\*\*.*?\*\//gs, '')
  const specifiers = [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(([, one]) => one ?? '')
  return specifiers.map((one) => relative(source, resolve(source, dirname(file), one)).replaceAll(sep, '/'))
}

/** The innermost room that a file is in. */
function roomOf(file: string): string | undefined {
  const around = Object.keys(mayImport).filter((room) => file === room || file.startsWith(`${room}/`))
  return around.sort((one, other) => other.length - one.length)[0]
}

/** The part of a room that a file is in, where the parts do not know one another. */
function partOf(file: string): string | null {
  const [room] = partsApart.filter((one) => file.startsWith(`${one}/`))
  const part = room && file.slice(room.length + 1).split('/')
  return part && part.length > 1 ? `${room}/${part[0]}` : null
}

/** The imports that lead from a file back to itself; `null` if none do. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>()
  const follow = (file: string, way: readonly string[]): string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return null
    for (const next of graph.get(file) ?? []) {
      const found = follow(next, [...way, file])
      if (found !== null) return found
    }
    done.add(file)
    return null
  }
  for (const file of graph.keys()) {
    const found = follow(file, [])
    if (found !== null) return found
  }
  return null
}

test.each(files.filter((file) => file.includes('/')))('%s imports only what it may', (file) => {
  const room = roomOf(file)
  expect(room, 'is in no room of rooms.ts').toBeDefined()
  for (const imported of importsOf(file)) {
    expect([room, ...(mayImport[room ?? ''] ?? [])], imported).toContain(roomOf(imported) ?? imported)
    const [part, other] = [partOf(file), partOf(imported)]
    if (part !== null && other !== null && !other.endsWith('/helpers') && roomOf(imported) === room)
      expect(other, imported).toBe(part)
  }
})

test('a room imports only from rooms that stand before it', () => {
  const rooms = Object.keys(mayImport)
  for (const [index, room] of rooms.entries()) {
    for (const other of mayImport[room] ?? []) {
      if (files.includes(other) && !other.includes('/')) continue
      expect(rooms.slice(0, index), `${room} imports ${other}`).toContain(other)
    }
  }
})

test('no file imports itself by way of others', () => {
  const graph = new Map(files.map((file) => [file, importsOf(file)]))
  expect(findCycle(graph)?.join(' imports ')).toBeUndefined()
})

test('the check sees the imports there are, and a cycle', () => {
  expect(importsOf('backends/sqlite/apply-change.ts')).toContain('core/advance.ts')
  expect(importsOf('open-memory.ts')).toContain('backends/sqlite/sqlite-backend.ts')
  expect(importsOf('core/types.ts')).toContain('core/trim-budget.ts')
  expect(findCycle(new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: [], d: ['b'] })))).toEqual(['b', 'd', 'b'])
})
