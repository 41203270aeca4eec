import path from 'node:path'
import { groups } from './groups.ts'
import { describeMachine, describeVersions } from './machine.ts'
import { help, readOptions, UsageError } from './options.ts'
import { type Line, makeLine, printLine, printReport, writeJson } from './report.ts'
import type { Bench, Heading, Tell } from './row.ts'
import { makeScratch } from './scratch.ts'
import { ServerNotFoundError } from './servers.ts'

/** Whatever goes wrong, a run ends. */
const longestRun = 60 * 60_000

try {
  await run()
} catch (error) {
  clearProgress()
  if (error instanceof UsageError) console.error(`bench: ${error.message} (see --help)`)
  else console.error(error instanceof ServerNotFoundError ? `bench: ${error.message}` : error)
  process.exit(2)
}

async function run(): Promise<void> {
  const { quick, only, json, ...options } = readOptions(process.argv.slice(2))
  if (options.help) {
    console.log(help)
    return
  }
  const isWanted = ({ name, what }: Heading) => `${name}\n${what}`.toLowerCase().includes(only ?? '')
  const wanted = groups.flatMap(({ headings }) => headings).filter(isWanted)
  if (wanted.length === 0) throw new UsageError(`no row is named anything like '${only}'`)
  if (options.list) {
    console.log(wanted.map(({ name }) => name).join('\n'))
    return
  }
  setTimeout(() => {
    console.error(`bench: not done after ${longestRun / 60_000} minutes, given up`)
    process.exit(2)
  }, longestRun).unref()

  const date = new Date().toISOString()
  const started = performance.now()
  const folder = makeScratch()
  const versions = describeVersions()
  const machine = await describeMachine(folder)
  const rows: Line[] = []
  const tell: Tell = {
    begun: ({ what }) => showProgress(`${rows.length + 1}/${wanted.length} ${what}`),
    done: (heading, measured) => {
      const line = makeLine(heading, measured, quick)
      rows.push(line)
      clearProgress()
      console.error(printLine(line, rows.length, wanted.length, performance.now() - started))
    },
  }
  const bench = makeBench(folder, quick)
  for (const group of groups) await group.run(bench, isWanted, tell)
  clearProgress()
  const seconds = Math.round((performance.now() - started) / 1000)
  const report = { date, quick, seconds, machine, versions, rows }
  console.log(printReport(report))
  if (json === null) return
  writeJson(report, json)
  console.log(`Written to ${path.relative('', json)}`)
}

function makeBench(folder: string, quick: boolean): Bench {
  let files = 0
  return {
    size: (full, small) => (quick ? small : full),
    freshFile: (name) => path.join(folder, `${++files}-${name}`),
  }
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
