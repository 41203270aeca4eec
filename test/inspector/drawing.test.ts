import { type MemoryStore, openMemory } from 'unforget'
import { expect, onTestFinished, test } from 'vitest'
import { foldCalls } from '../../inspector/conversation/fold-calls.ts'
import { diffPaths } from '../../inspector/difference/diff-paths.ts'
import { type EpochRow, placesOf, rowsOf } from '../../inspector/drawing/rows.ts'
import { makeScale } from '../../inspector/drawing/scale.ts'
import { stationsOf } from '../../inspector/drawing/stations.ts'
import { showEntry } from '../../src/inspector/show/show-entry.ts'
import { rollBackAndForth, tellStory } from './support/story.ts'

const says = (...contents: string[]) => contents.map((content) => ({ role: 'user' as const, content }))

async function openStory(): Promise<MemoryStore> {
  const memory = await openMemory('memory:')
  onTestFinished(() => memory.close())
  await tellStory(memory)
  return memory
}

async function drawn(memory: MemoryStore, session: string) {
  const paths = await memory.paths(session)
  if (paths === null) throw new Error('there is no session')
  const stations = stationsOf(paths)
  const rows = rowsOf(paths, stations)
  return { paths, stations, rows, epochs: rows.filter((row): row is EpochRow => row.kind === 'epoch') }
}

test('the story of the demo: an epoch for each rollback, where it happened, and what it brought back', async () => {
  const memory = await openStory()
  await rollBackAndForth(memory)
  const { stations, epochs } = await drawn(memory, 'user-42')
  expect(stations.map(({ label, kind, entries }) => [label, kind, entries])).toEqual([
    ['Wang is served', 'saved', 7],
    ['B was here', 'saved', 9],
    ['left by a rollback', 'automatic', 19],
    ['left by a rollback', 'automatic', 7],
    ['left by a rollback', 'automatic', 19],
    ['now', 'now', 7],
  ])
  expect(epochs.map(({ epoch, ranges, began, source }) => [epoch.cause, ranges, began, source?.last ?? null])).toEqual([
    ['begin', [[1, 19]], null, null],
    ['rollback', [[1, 7]], 19, 7],
    ['rollback', [[1, 19]], 19, 19],
    ['rollback', [[1, 7]], 19, 7],
  ])
})

test('a trim, a compaction with and without turns kept, a rewind, a clear, and epochs that were swept', async () => {
  await using memory = await openMemory('memory:')
  const chat = memory.session('s')
  await chat.addMessages([{ role: 'system', content: 'Be brief.' }, ...says('2', '3', '4', '5', '6')])
  await chat.saveSnapshot({ id: 'first' })
  await chat.addMessages(says('7'))
  await chat.trim({ maxEntries: 4, keepSystem: true })
  await chat.saveSnapshot({ id: 'trimmed' })
  await chat.compact({ keep: 2, summarize: () => 'six turns' })
  await chat.saveSnapshot({ id: 'compacted' })
  await chat.rewind({ to: 6 })
  await chat.addMessages(says('9'))
  await chat.saveSnapshot({ id: 'rewound' })
  await chat.compact({ keep: 0, summarize: () => 'all of it' })
  await chat.clear()
  await chat.addMessages(says('11'))
  await memory.sweep()
  const { rows, epochs } = await drawn(memory, 's')
  expect(epochs.map(({ epoch, ranges, began, summary }) => [epoch.cause, ranges, began, summary])).toEqual([
    ['begin', [[1, 6]], null, null],
    [
      'trim',
      [
        [1, 1],
        [5, 7],
      ],
      4,
      null,
    ],
    [
      'compact',
      [
        [1, 1],
        [8, 8],
        [6, 7],
      ],
      7,
      8,
    ],
    [
      'rewind',
      [
        [1, 1],
        [8, 8],
        [6, 6],
        [9, 9],
      ],
      8,
      null,
    ],
    ['clear', [[11, 11]], 10, null],
  ])
  expect(rows.filter(({ kind }) => kind === 'gap')).toEqual([{ kind: 'gap', from: 5, to: 5 }])
  expect(epochs[2]?.until).toBe(null)
})

test('a compaction that keeps no turns: the summary is the first entry of its open range', async () => {
  await using memory = await openMemory('memory:')
  await memory.addMessages('s', says('1', '2', '3'))
  await memory.compact('s', { keep: 0, summarize: () => 'all' })
  await memory.addMessages('s', says('5'))
  const { epochs } = await drawn(memory, 's')
  expect(epochs.at(-1)).toMatchObject({ ranges: [[4, 5]], began: 3, summary: 4 })
})

test('the scale keeps places apart, in order, within the width, however long the log', () => {
  const places = [1, 2, 3, 999_990, 1_000_000]
  const { x, width } = makeScale(places, 800)
  expect(width).toBe(800)
  expect(x(0)).toBe(0)
  expect(x(1_000_000)).toBeCloseTo(800)
  for (const [index, place] of places.entries()) expect(x(place) - x(places[index - 1] ?? 0)).toBeGreaterThanOrEqual(26)
  expect(x(500_000)).toBeGreaterThan(x(3))
  expect(
    makeScale(
      Array.from({ length: 100 }, (_, place) => place + 1),
      800,
    ).width,
  ).toBe(2600)
  expect(makeScale([], 800).x(0)).toBe(0)
})

test('the difference of two states takes their ranges alone, in the order they are read', async () => {
  expect(diffPaths([[1, 7]], [[1, 9]])).toEqual([
    { side: 'both', range: [1, 7], after: null },
    { side: 'right', range: [8, 9], after: 7 },
  ])
  expect(
    diffPaths(
      [[1, 19]],
      [
        [1, 7],
        [20, 21],
      ],
    ),
  ).toEqual([
    { side: 'both', range: [1, 7], after: null },
    { side: 'left', range: [8, 19], after: 7 },
    { side: 'right', range: [20, 21], after: 7 },
  ])
  expect(
    diffPaths(
      [[1, 6]],
      [
        [1, 1],
        [8, 8],
        [5, 7],
      ],
    ),
  ).toEqual([
    { side: 'both', range: [1, 1], after: null },
    { side: 'left', range: [2, 4], after: 1 },
    { side: 'right', range: [8, 8], after: 1 },
    { side: 'both', range: [5, 6], after: 4 },
    { side: 'right', range: [7, 7], after: 6 },
  ])
  expect(diffPaths([], [])).toEqual([])
  expect(diffPaths([[2, 3]], [[2, 3]])).toEqual([{ side: 'both', range: [2, 3], after: null }])
})

test('a thousand ranges on either side are still compared', () => {
  const odd = Array.from({ length: 3000 }, (_, index): [number, number] => [4 * index + 1, 4 * index + 1])
  const even = odd.map(([from]): [number, number] => [from + 2, from + 2])
  expect(diffPaths([[1, 1], ...odd.slice(1)], [[1, 1], ...even]).length).toBeGreaterThan(1000)
})

test('tool calls fold together with their results and their records; others stay on their own', async () => {
  const memory = await openStory()
  const entries = (await memory.getEntries('user-42', { first: 7 })).map(showEntry)
  const folded = foldCalls(entries)
  expect(folded.map(({ entry }) => entry.seq)).toEqual([1, 2, 3, 6, 7])
  const answers = folded[2]?.answers.get(0) ?? []
  expect(answers.map(({ seq, part }) => [seq, part.text])).toEqual([
    [4, '{"status":"shipped","arrives":"Friday"}'],
    [5, '{"status":"shipped","arrives":"Friday"}'],
  ])
  expect(foldCalls(entries.slice(3)).map(({ entry }) => entry.seq)).toEqual([4, 6, 7])
  expect(placesOf([], 3)).toEqual([])
})
