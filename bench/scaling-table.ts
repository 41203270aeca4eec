import type { Line } from './report.ts'

/** What an acknowledged turn survives, by the row's name. */
const survives: Readonly<Record<string, string>> = {
  'carries-sqlite': 'a power failure',
  'carries-sqlite-process': 'the end of the process',
  'carries-redis': 'the end of the process, not of the server',
  'carries-redis-everysec': 'a power failure, except the last second',
  'carries-redis-always': 'a power failure',
  'carries-redis-cluster': 'the end of the process, not of its server',
  'carries-postgres': 'a power failure',
  'carries-postgres-16': 'a power failure',
}

/** The table of docs/scaling.md. */
export function scalingTable(rows: readonly Line[]): string[] {
  const carrying = rows.filter(({ name }) => name in survives)
  const columns = carrying[0]?.figures.map(({ name, unit }) => `${name}, ${unit}`) ?? []
  const lines = carrying.map(({ name, what, figures }) => {
    const place = what.replace(/^what (.*) carries$/, '$1')
    return [place, survives[name], ...figures.map(({ value }) => readable(value))]
  })
  const header = ['place', 'an acknowledged turn survives', ...columns]
  return [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`)
}

function readable(value: number): string {
  return value < 100 ? String(Number(value.toPrecision(2))) : Number(value.toPrecision(3)).toLocaleString('en')
}
