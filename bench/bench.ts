import { existsSync } from 'node:fs'
import path from 'node:path'
import { setBarOf } from './bars.ts'
import { groups } from './groups.ts'
import { describeMachine, describeVersions } from './machine.ts'
import { help, type Options, readOptions, results, UsageError } from './options.ts'
import { writePages } from './page/write-pages.ts'
import { makeLine, printLine, printReport, type Report } from './report.ts'
import { Results, readReport } from './results.ts'
import type { Bench, Heading, Tell } from './row.ts'
import { makeScratch } from './scratch.ts'
import { ServerNotFoundError } from './servers.ts'
import { timeLeft } from './time-left.ts'

/** Whatever goes wrong, a row and a run end. */
const longestRow = 5 * 60_000
const longestRun = 60 * 60_000

try {
  await run(readOptions(process.argv.slice(2)))
  process.exit()
} catch (error) {
  clearProgress()
  if (error instanceof UsageError) console.error(`bench: ${error.message} (see --help)`)
  else console.error(error instanceof ServerNotFoundError ? `bench: ${error.message}` : error)
  process.exit(2)
}

async function run(options: Options): Promise<void> {
  const { quick, only, json, merge, missing } = options
  if (options.help) {
    console.log(help)
    return
  }
  if (options.page) {
    writeResults()
    return
  }
  const earlier = merge && json !== null && existsSync(json) ? readReport(json) : null
  const measured = new Set(missing ? earlier?.rows.map(({ name }) => name) : [])
  const isWanted = ({ name, what }: Heading) =>
    `${name}\n${what}`.toLowerCase().includes(only ?? '') && !measured.has(name)
  const headings = groups.flatMap((group) => group.headings)
  const wanted = headings.filter(isWanted)
  if (wanted.length === 0) {
    throw new UsageError(missing ? 'no row is missing' : `no row is named anything like '${only}'`)
  }
  if (options.list) {
    console.log(wanted.map(({ name }) => name).join('\n'))
    return
  }
  setTimeout(() => {
    console.error(`bench: not done after ${longestRun / 60_000} minutes, given up; --missing measures the rest`)
    process.exit(2)
  }, longestRun).unref()

  const folder = makeScratch()
  const start: Report = {
    quick,
    machine: await describeMachine(folder),
    versions: describeVersions(),
    rows: [],
    failed: [],
  }
  if (earlier !== null) requireSame(earlier, start)
  const order = headings.map(({ name }) => name)
  const kept = new Results(json, order, earlier ?? start)
  const { rows, failed } = await measure(wanted, isWanted, kept, folder, quick)
  console.log(printReport({ ...kept.report, rows, failed }))
  if (failed.length > 0) process.exitCode = 1
  if (json === null) return
  console.log(`Written to ${path.relative('', json)}`)
  if (json === results && !quick) writeResults()
}

function writeResults(): void {
  const report = readReport(results)
  writePages(report)
  const unexplained = report.rows.filter(({ name, met }) => met === false && setBarOf(name)?.unmet === undefined)
  for (const { name, what } of unexplained)
    console.error(`not met, and not explained in bench/bars.ts: ${name} (${what})`)
}

async function measure(
  wanted: readonly Heading[],
  isWanted: (heading: Heading) => boolean,
  kept: Results,
  folder: string,
  quick: boolean,
): Promise<Pick<Report, 'rows' | 'failed'>> {
  const rows: Report['rows'][number][] = []
  const failed: Report['failed'][number][] = []
  const secondsBefore = new Map(
    quick || !existsSync(results) ? [] : readReport(results).rows.map(({ name, seconds }) => [name, seconds]),
  )
  const count = () => rows.length + failed.length
  let last = performance.now()
  const tell: Tell = {
    begun: ({ what }) => showProgress(`${count() + 1}/${wanted.length} ${what}`),
    done(heading, measured) {
      const now = performance.now()
      const line = makeLine(heading, measured, quick, { date: new Date().toISOString(), seconds: (now - last) / 1000 })
      last = now
      rows.push(line)
      kept.add(line)
      clearProgress()
      const toCome = wanted.filter(({ name }) => ![...rows, ...failed].some((one) => one.name === name))
      const left = timeLeft(
        rows,
        toCome.map(({ name }) => name),
        secondsBefore,
      )
      console.error(printLine(line, count(), wanted.length, left))
    },
    failed({ name, what }, error) {
      if (error instanceof ServerNotFoundError) throw error
      last = performance.now()
      const failure = { name, what, error: String(error) }
      failed.push(failure)
      kept.fail(failure)
      clearProgress()
      console.error(`${count()}/${wanted.length} ${what}: FAILED`, error)
    },
    notClosed: (error) => console.error('what the rows before were measured on could not be closed:', error),
  }
  const bench = makeBench(folder, quick)
  for (const group of groups) await group.run(bench, isWanted, tell)
  clearProgress()
  return { rows, failed }
}

/** Rows of another machine or another version would make one table of two runs that cannot be compared. */
function requireSame(earlier: Report, now: Report): void {
  const described = ({ quick, machine: { syncMilliseconds: _, ...machine }, versions }: Report) =>
    JSON.stringify([quick, machine, versions])
  if (described(earlier) === described(now)) return
  throw new UsageError('the results are of another machine, other versions or a quick run: measure all again')
}

function makeBench(folder: string, quick: boolean): Bench {
  let files = 0
  return {
    size: (full, small) => (quick ? small : full),
    freshFile: (name) => path.join(folder, `${++files}-${name}`),
    patience: longestRow,
  }
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
