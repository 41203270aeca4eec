import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerNotFoundError } from 'unforget/testing/servers'
import { help, readOptions, UsageError } from './options.ts'
import { parts } from './parts.ts'
import { addToResults, type PartRun } from './report/results.ts'
import { CannotRecord } from './sqlite/build-recorder.ts'

/** A part that hangs is given up this long after it should have ended. */
const grace = 180_000

/** Every part does something, even if those before it took longer than their share. */
const leastTime = 5000

/** The processes that it starts, by the thousand, compile what they load once for all. */
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'unforget-compile-cache')

try {
  process.exitCode = await run()
} catch (error) {
  const isPlain = [UsageError, CannotRecord, ServerNotFoundError].some((kind) => error instanceof kind)
  console.error(isPlain ? `chaos: ${(error as Error).message}` : error)
  process.exit(2)
}

async function run(): Promise<number> {
  const options = readOptions(
    process.argv.slice(2),
    parts.map(({ name }) => name),
  )
  const { minutes, seed, only, json } = options
  if (options.help || options.list) {
    console.log(options.help ? help(parts) : parts.map(({ name }) => name).join('\n'))
    return 0
  }
  const say = (line: string) => (json ? console.error(line) : console.log(line))
  const wanted = parts.filter(({ name }) => only.includes(name))
  const end = Date.now() + minutes * 60_000
  setTimeout(
    () => {
      console.error(`chaos: not done ${grace / 1000} seconds after its end, given up`)
      process.exit(2)
    },
    minutes * 60_000 + grace,
  ).unref()
  const folder = mkdtempSync(join(tmpdir(), 'unforget-chaos-'))
  say(`seed ${seed}, ${minutes} minutes, in ${folder}`)
  const runs: PartRun[] = []
  for (const [index, part] of wanted.entries()) {
    const began = Date.now()
    const until = began + Math.max(leastTime, (end - began) / (wanted.length - index))
    const own = join(folder, part.name)
    mkdirSync(own)
    say(`${part.name}: ${part.what}`)
    const tell = (line: string) => say(`  ${part.name} ${Math.round((Date.now() - began) / 1000)} s: ${line}`)
    const { figures, problems } = await part.run({ folder: own, seed, until, most: options.most ?? part.most, tell })
    const seconds = Math.round((Date.now() - began) / 1000)
    runs.push({ part: part.name, date: new Date(began).toISOString(), seed, seconds, figures, problems })
    say(`  ${part.name}: ${problems.length === 0 ? 'nothing found' : `${problems.length} PROBLEMS`} in ${seconds} s`)
    for (const problem of problems) say(`\n${problem}\n`)
  }
  const isClean = runs.every(({ problems }) => problems.length === 0)
  if (isClean) rmSync(folder, { recursive: true, force: true })
  else say(`what was found is left in ${folder}`)
  if (json) console.log(JSON.stringify({ seed, runs }, null, 2))
  else for (const { part, figures } of runs) say(`${part}: ${describe(figures)}`)
  if (options.write) addToResults(runs)
  return isClean ? 0 : 1
}

function describe(figures: Readonly<Record<string, number>>): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value.toLocaleString('en')}`)
    .join(', ')
}
