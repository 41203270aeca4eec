import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { barOf, bars, isMet } from '../../bench/bars.ts'
import { makeLine, type Report } from '../../bench/report.ts'
import { Results, readReport } from '../../bench/results.ts'
import { type Bench, type Heading, type Row, rowGroup, type Tell } from '../../bench/row.ts'
import { timeLeft } from '../../bench/time-left.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { sampleReport } from './sample-report.ts'

const bench: Bench = { size: (_, quick) => quick, freshFile: (name) => name, patience: 60_000 }
const measured = { rounds: 1, ratio: { min: 1, q1: 1, median: 1, q3: 1, max: 1 }, figures: [] }
const empty: Report = { ...sampleReport(), rows: [], failed: [] }
const when = { date: '2026-11-18T12:00:00.000Z', seconds: 2 }

test('a row that fails is told, and the others of its group and their end go on', async () => {
  const { told, tell } = listen()
  let closed = 0
  const row = (name: string, measure: () => Promise<typeof measured>): Row<string> => ({
    name,
    what: name,
    baseline: null,
    measure,
  })
  const group = rowGroup<string>(
    async () => 'fixture',
    () => void closed++,
    [
      row('one', async () => measured),
      row('two', () => Promise.reject(new Error('broken'))),
      row('three', async () => measured),
    ],
  )
  await group.run(bench, () => true, tell)
  expect(told).toEqual(['one done', 'two failed: broken', 'three done'])
  expect(closed).toBe(1)
})

test('a row that does not end is given up, with those that share its fixture', async () => {
  const { told, tell } = listen()
  const row = (name: string, measure: () => Promise<typeof measured>): Row<string> => ({
    name,
    what: name,
    baseline: null,
    measure,
  })
  const group = rowGroup<string>(
    async () => 'fixture',
    () => expect.fail('what is still in use is not closed'),
    [row('one', async () => measured), row('two', () => new Promise(() => {})), row('three', async () => measured)],
  )
  await group.run({ ...bench, patience: 10 }, () => true, tell)
  expect(told).toEqual([
    'one done',
    'two failed: not done after 0.01 seconds',
    'three failed: a row before it did not end',
  ])
})

test('what cannot be closed does not end the run', async () => {
  const { told, tell } = listen()
  const rows = [{ name: 'one', what: 'one', baseline: null, measure: async () => measured }]
  const close = () => {
    throw new Error('stuck')
  }
  await rowGroup<string>(async () => 'fixture', close, rows).run(bench, () => true, tell)
  expect(told).toEqual(['one done', 'not closed: stuck'])
})

test('where nothing can be prepared, every row of the group failed', async () => {
  const { told, tell } = listen()
  const rows = ['one', 'two'].map((name) => ({ name, what: name, baseline: null, measure: async () => measured }))
  const group = rowGroup<string>(
    () => Promise.reject(new Error('no disk')),
    () => {},
    rows,
  )
  await group.run(bench, ({ name }) => name !== 'none', tell)
  expect(told).toEqual(['one failed: no disk', 'two failed: no disk'])
})

test('rows are in the file as soon as they are measured, in the order of the table', async () => {
  const file = path.join(await temporaryFolder(), 'results.json')
  const results = new Results(file, ['append', 'recall', 'processes'], empty)
  const namesIn = () => readReport(file).rows.map(({ name }) => name)
  results.add(line('processes', 0.9))
  expect(namesIn()).toEqual(['processes'])
  results.add(line('append', 1.2))
  expect(namesIn()).toEqual(['append', 'processes'])
  results.fail({ name: 'recall', what: 'recall', error: 'Error: broken' })
  expect(readReport(file).failed).toEqual([{ name: 'recall', what: 'recall', error: 'Error: broken' }])
})

test('a row that is measured again takes the place of what was there, also of a failure', async () => {
  const file = path.join(await temporaryFolder(), 'results.json')
  const start = {
    ...empty,
    rows: [line('append', 2), line('processes', 0.9)],
    failed: [{ name: 'recall', what: '', error: '' }],
  }
  const results = new Results(file, ['append', 'recall', 'processes'], start)
  results.fail({ name: 'append', what: '', error: 'Error: broken' })
  results.add(line('append', 1.23456789))
  results.fail({ name: 'processes', what: '', error: 'Error: broken' })
  results.add(line('recall', 1))
  const { rows, failed } = JSON.parse(readFileSync(file, 'utf8')) as Report
  expect(rows.map(({ name, ratio }) => [name, ratio?.median])).toEqual([
    ['append', 1.235],
    ['recall', 1],
    ['processes', 0.9],
  ])
  expect(failed).toEqual([])
})

test('a row is judged by the bar of today', async () => {
  const file = path.join(await temporaryFolder(), 'results.json')
  const results = new Results(file, ['append'], empty)
  results.add({ ...line('append', 1.6), bar: { atMost: 2 }, met: true })
  expect(readReport(file).rows[0]).toMatchObject({ bar: { atMost: 1.5 }, met: false })
})

test('the time left is that of an earlier run at the pace of this one', () => {
  const done = [line('append', 1)]
  expect(timeLeft(done, ['recall', 'processes'], new Map())).toBe(4)
  expect(
    timeLeft(
      done,
      ['recall', 'processes'],
      new Map([
        ['append', 1],
        ['recall', 30],
      ]),
    ),
  ).toBe(62)
  expect(timeLeft([], ['recall'], new Map([['recall', 30]]))).toBe(30)
})

test('the bars that 0.2 was made for', () => {
  expect(Object.fromEntries(bars.map(({ row, bar }) => [row, bar]))).toMatchObject({
    append: { atMost: 1.5 },
    'append-64-one': { atLeast: 5 },
    'append-64-each': { atLeast: 3 },
    'redis-append': { atMost: 1.3 },
    'redis-append-64-one': { atLeast: 0.8 },
    'redis-append-64-each': { atLeast: 0.8 },
    'redis-append-peer': { atLeast: 0.9 },
    'redis-append-64-one-peer': { atLeast: 0.9 },
    'postgres-append': { atMost: 1.4 },
    'postgres-append-64-one': { atLeast: 1 },
    'postgres-append-64-each': { atLeast: 1 },
    processes: { atLeast: 0.85 },
    'processes-fairness': { atLeast: 0.6 },
    'bytes-after-rollbacks': { atMost: 1.5 },
    'history-1000': { atMost: 1.2 },
  })
  expect(barOf('hold-sqlite-fork')).toEqual({ atMost: 1 })
  expect(barOf('carries-redis')).toBe(null)
  expect([isMet({ atMost: 1.5 }, 1.5), isMet({ atMost: 1.5 }, 1.51), isMet({ atLeast: 5 }, 4.9)]).toEqual([
    true,
    false,
    false,
  ])
})

function line(name: string, median: number) {
  const heading: Heading = { name, what: name, baseline: 'another', bar: barOf(name) }
  return makeLine(heading, { ...measured, ratio: { ...measured.ratio, median } }, false, when)
}

function listen() {
  const told: string[] = []
  const tell: Tell = {
    begun: () => {},
    done: ({ name }) => void told.push(`${name} done`),
    failed: ({ name }, error) => void told.push(`${name} failed: ${(error as Error).message}`),
    notClosed: (error) => void told.push(`not closed: ${(error as Error).message}`),
  }
  return { told, tell }
}
