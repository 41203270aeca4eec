import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeRandom } from 'unforget/faults'
import { checkHistory } from '../checker/check-history.ts'
import { checkSession } from '../checker/check-session.ts'
import { placeOf, resultOf } from '../checker/history.ts'
import { readLogs } from '../workload/log.ts'
import { type CrashState, Disk } from './disk.ts'
import { type Expected, openCrashed } from './open-crashed.ts'
import { type Recorded, readRecord } from './read-record.ts'
import { runWriter } from './run-writer.ts'

export interface PowerCutOptions {
  readonly library: string
  readonly folder: string
  readonly seed: number
  /** How many different states to open at most. */
  readonly states: number
  readonly until: number
  /** Default: `power`, which must lose nothing. The other one can, and shows that the states are harsh enough. */
  readonly durability?: 'power' | 'process'
  readonly onState?: (opened: number) => void
}

export interface PowerCuts {
  /** Recorded calls after which the power was cut. */
  readonly points: number
  /** States that were rebuilt and opened: no two hold the same and have to hold the same. */
  readonly states: number
  /** How many different contents of the files there were among them. */
  readonly contents: number
  readonly acknowledged: number
  /** What was wrong with a state, with the number of the recorded call and of the variant. */
  readonly problems: readonly string[]
}

const sessions = ['first', 'second']

/** Every so many states `verify` looks at the whole file, in a thread of its own. The others are checked by the same calls without it. */
const wholeVerify = 10

/** How many states are opened at once. */
const lanes = 4

/** Records one run, cuts the power after every recorded call, and opens what can be left. */
export async function cutPower(options: PowerCutOptions): Promise<PowerCuts> {
  const { library, folder, seed, durability = 'power' } = options
  const file = join(folder, 'memory.db')
  const record = join(folder, 'record')
  const task = {
    file,
    marks: join(folder, 'marks'),
    folder,
    sessions,
    seed,
    opens: 4,
    calls: 30,
    atOnce: 2,
    timeout: 5000,
    durability,
  }
  await runWriter(library, task, { CHAOS_RECORD: record })
  const operations = readLogs(folder)
  const violations = checkHistory(operations)
  if (violations.length > 0)
    return { points: 0, states: 0, contents: 0, acknowledged: 0, problems: violations.map((one) => one.message) }
  const expected = new Map(
    sessions.map((session) => {
      const own = operations.filter((one) => one.session === session)
      return [session, checkSession(session, own).lives[0]?.states ?? []]
    }),
  )
  const counters = new Map(
    operations.map((one) => {
      const { version } = resultOf(one) ?? {}
      const counter = typeof version === 'string' && one.call.method !== 'fork' ? placeOf(version).counter : 0
      return [one.id, { session: one.session, counter }]
    }),
  )
  return openAll(readRecord(record), expected, counters, options)
}

async function openAll(
  calls: readonly Recorded[],
  states: Expected['states'],
  counters: ReadonlyMap<string, { readonly session: string; readonly counter: number }>,
  { folder, seed, states: most, until, onState }: PowerCutOptions,
): Promise<PowerCuts> {
  const random = makeRandom(seed)
  const disk = new Disk()
  const seen = new Set<string>()
  const contents = new Set<string>()
  const atLeast = new Map(sessions.map((session) => [session, 0]))
  const problems: string[] = []
  const perPoint = Math.max(4, Math.ceil((most * 1.5) / calls.length))
  const share = (most * 1.5) / (perPoint * calls.length)
  let points = 0
  let acknowledged = 0
  for (const [index, call] of calls.entries()) {
    if (seen.size >= most || Date.now() > until) break
    if (call.kind === 'M') {
      const { session, counter } = counters.get(call.data.toString()) ?? { session: '', counter: 0 }
      atLeast.set(session, Math.max(counter, atLeast.get(session) ?? 0))
      acknowledged += 1
    }
    const isChanged = disk.take(call)
    if (!isChanged && call.kind !== 'M') continue
    if (random() > share) continue
    points += 1
    const open = async (state: CrashState, variant: number) => {
      const content = digestOf(state)
      const key = `${content} ${JSON.stringify([...atLeast])}`
      if (seen.has(key) || seen.size >= most) return
      seen.add(key)
      contents.add(content)
      const isWhole = seen.size % wholeVerify === 0
      const wrong = await inFolder(folder, state, (file) => openCrashed(file, { states, atLeast }, isWhole))
      onState?.(seen.size)
      if (wrong !== null) problems.push(`call ${index}, variant ${variant}: ${wrong}`)
    }
    const variants = variantsOf(disk, perPoint, random)
    for (let from = 0; from < variants.length; from += lanes) {
      await Promise.all(variants.slice(from, from + lanes).map((state, lane) => open(state, from + lane)))
    }
  }
  return { points, states: seen.size, contents: contents.size, acknowledged, problems }
}

/** Everything is there, nothing is, and chance decides: dropped, kept or torn, call by call. */
function variantsOf(disk: Disk, count: number, random: () => number): CrashState[] {
  const fixed = [disk.crash(() => 'none'), disk.crash(() => 'all')]
  if (disk.unconfirmed === 0) return fixed.slice(0, 1)
  const chance = Array.from({ length: Math.max(0, count - 2) }, () =>
    disk.crash(() => {
      const how = random()
      if (how < 0.4) return 'none'
      return how < 0.7 ? 'all' : () => random() < 0.5
    }),
  )
  return [...fixed, ...chance]
}

function digestOf(state: CrashState): string {
  const hash = createHash('sha1')
  for (const [path, content] of [...state].filter(([path]) => !path.endsWith('-shm'))) hash.update(path).update(content)
  return hash.digest('hex')
}

/** Without the `-shm`: SQLite makes it anew from the log. */
async function inFolder<T>(folder: string, state: CrashState, use: (file: string) => Promise<T>): Promise<T> {
  const place = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : folder, 'unforget-chaos-'))
  try {
    mkdirSync(place, { recursive: true })
    for (const [path, content] of state) {
      if (!path.endsWith('-shm')) writeFileSync(join(place, basename(path)), content)
    }
    return await use(join(place, 'memory.db'))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
