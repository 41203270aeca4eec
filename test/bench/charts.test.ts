import { describe, expect, test } from 'vitest'
import { renderChart } from '../../bench/charts/chart.ts'
import { chartsOf } from '../../bench/charts/charts.ts'
import { linearScale, logScale } from '../../bench/charts/scale.ts'
import { themes } from '../../bench/charts/theme.ts'
import { readXml } from './read-xml.ts'
import { sampleReport } from './sample-report.ts'

const charts = chartsOf(sampleReport())
const drawings = charts.flatMap((chart) => themes.map((theme) => ({ chart, theme, svg: renderChart(chart, theme) })))
const named = drawings.map((one) => [`${one.chart.name}-${one.theme.name}`, one] as const)
const drawn = (name: string) => drawings.find(({ chart }) => chart.name === name)?.svg ?? ''

test('every chart is drawn for both themes', () => {
  expect(named.map(([name]) => name)).toEqual(
    ['append', 'throughput', 'long-history', 'langgraph-sqlite', 'langgraph-postgres', 'holds'].flatMap((name) => [
      `${name}-light`,
      `${name}-dark`,
    ]),
  )
})

describe.each(named)('%s', (_, { chart, theme, svg }) => {
  test('is well-formed XML with the texts as they were given', () => {
    const { root, texts } = readXml(svg)
    expect(root).toBe('svg')
    expect(texts).toContain(chart.title)
    expect(texts).toContain(chart.subtitle)
    expect(texts).toContain(`${chart.subtitle}. ${chart.description}`)
  })

  test('is the same each time', () => {
    const again = chartsOf(sampleReport()).find(({ name }) => name === chart.name)
    expect(again && renderChart(again, theme)).toBe(svg)
    expect(svg).not.toMatch(/NaN|Infinity|undefined|="[^"]*\d\.\d\d/)
  })

  test('says which direction is better', () => {
    expect(chart.subtitle).toMatch(/(Lower|Higher) is better/)
  })

  test('has colors that stand out from the canvas', () => {
    const { text, muted, met, missed, backends, canvas } = theme
    for (const color of [text, muted, met, missed, ...Object.values(backends)]) {
      expect(contrast(color, canvas), color).toBeGreaterThan(4.5)
    }
  })
})

test('a text is escaped', () => {
  expect(drawn('throughput')).toContain('addMessage of &lt;@langchain/redis&gt;')
})

test('a bar that is not met is told in words, with what was measured', () => {
  const { texts } = readXml(drawn('append'))
  expect(texts.slice(texts.indexOf('SQLite'))).toEqual(expect.arrayContaining(['1.62 x', '≤ 1.5 x: not met']))
  expect(texts.slice(texts.indexOf('Redis'))).toEqual(expect.arrayContaining(['1.29 x', '≤ 1.3 x: met']))
})

test('every axis has ticks with their unit, and says what it counts', () => {
  for (const where of ['langgraph-sqlite', 'langgraph-postgres']) {
    const { texts } = readXml(drawn(where))
    const times = (text: string) => texts.filter((one) => one === text).length
    expect(['100', '1,000', '10,000', 'checkpoints'].map(times)).toEqual([4, 4, 4, 4])
    expect(texts).toEqual(expect.arrayContaining(['100 kB', '1 GB', '0.1 ms', '1 ms', '10 ms']))
  }
  for (const name of ['append', 'throughput', 'long-history']) expect(readXml(drawn(name)).texts).toContain('0 x')
  expect(readXml(drawn('append')).texts).toContain("times the bare client's time")
  expect(readXml(drawn('holds')).texts).toEqual(
    expect.arrayContaining(['≤ 0.1 ms', '1,000 ms', 'milliseconds held at a stretch (logarithmic)']),
  )
})

test('a comparison that is lost says so', () => {
  const { texts } = readXml(drawn('langgraph-sqlite'))
  expect(texts).toContain('50 x less than SqliteSaver at 10,000 checkpoints')
  expect(texts).toContain('lost: 3.76 x SqliteSaver at 10,000 checkpoints')
  expect(texts).toContain('lost at 100 and 1,000; 1.72 x less at 10,000')
})

test('a call that holds for too long is named with its milliseconds', () => {
  const { texts } = readXml(drawn('holds'))
  expect(texts).toContain('memory 168, SQLite 149, Redis 161')
  expect(texts).toContain('PostgreSQL 171, lock 240')
})

test('what was not measured is not drawn', () => {
  const { rows } = sampleReport()
  expect(chartsOf({ rows: [] })).toEqual([])
  expect(chartsOf({ rows: rows.filter(({ name }) => name === 'append') }).map(({ name }) => name)).toEqual(['append'])
})

test('a scale has its ticks at round numbers and everything inside', () => {
  expect(linearScale(1.9).ticks).toEqual([0, 0.5, 1, 1.5])
  expect(linearScale(1.9).place(1.9)).toBeLessThan(1)
  expect(logScale([0.3, 40]).ticks).toEqual([0.1, 1, 10, 100])
  expect(logScale([1, 1]).ticks).toEqual([1, 10])
  expect(logScale([1, 100]).place(10)).toBeCloseTo(0.5)
  expect(logScale([1, 100]).place(0)).toBe(0)
})

/** As WCAG defines it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const share = Number.parseInt(color.slice(place, place + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
