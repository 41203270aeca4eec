import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { openMemory } from 'unforget'
import { checkHistory } from '../checker/check-history.ts'
import { settle } from '../workload/settle.ts'
import { runWriter } from './run-writer.ts'

const kinds = ['open', 'write', 'fsync', 'truncate', 'mmap'] as const
const { EIO, ENOSPC } = constants.errno

const lanes = 4

type Kind = (typeof kinds)[number]

export interface IoErrors {
  /** How many calls of each kind the run makes without a fault. */
  readonly calls: Readonly<Record<Kind, number>>
  /** How many runs there were, with one failing call or with all from one on. */
  readonly runs: number
  /** How many results a caller got: done, refused with nothing written, and not known. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

interface Fault {
  readonly kind: Kind
  readonly number: number
  readonly error: number
  readonly how: 'once' | 'on'
}

/** Fails the n-th call of every kind, for every n of a run, and checks what its callers were told against what is there. */
export async function failCalls(options: {
  readonly library: string
  readonly folder: string
  readonly seed: number
  /** How many of the faults at most: all of them, or every second, third, … of them, which ones by the seed. */
  readonly most: number
  readonly until: number
  readonly onRun?: (done: number, of: number) => void
}): Promise<IoErrors> {
  const { library, folder, seed, most, until, onRun } = options
  const counts = join(folder, 'counts')
  const outcomes: Record<string, number> = {}
  const problems: string[] = []
  problems.push(...(await runOnce(library, join(folder, 'clean'), { CHAOS_COUNTS: counts }, outcomes)))
  const calls = JSON.parse(readFileSync(counts, 'utf8')) as Record<Kind, number>
  const all = faultsOf(calls)
  const every = Math.ceil(all.length / most)
  const faults = all.filter((_, index) => index % every === seed % every)
  const left = [...faults]
  let runs = 0
  const lane = async () => {
    const fault = left.shift()
    if (fault === undefined || Date.now() > until) return
    const { kind, number, error, how } = fault
    const name = `${kind} ${number} ${error === EIO ? 'EIO' : 'ENOSPC'} ${how}`
    const setting = { CHAOS_FAIL: `${kind}:${number}:${error}:${how}` }
    const found = await runOnce(library, join(folder, name.replaceAll(' ', '-')), setting, outcomes)
    problems.push(...found.map((problem) => `${name}: ${problem}`))
    runs += 1
    onRun?.(runs, faults.length)
    await lane()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { calls, runs, outcomes, problems }
}

function faultsOf(calls: Readonly<Record<Kind, number>>): Fault[] {
  return kinds.flatMap((kind) =>
    Array.from({ length: calls[kind] }, (_, index) =>
      [EIO, ...(kind === 'write' ? [ENOSPC] : [])].flatMap((error) =>
        (['once', 'on'] as const).map((how) => ({ kind, number: index + 1, error, how })),
      ),
    ).flat(),
  )
}

async function runOnce(
  library: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
  outcomes: Record<string, number>,
): Promise<string[]> {
  mkdirSync(folder)
  const file = join(folder, 'memory.db')
  const sessions = ['s']
  const task = {
    file,
    marks: join(folder, 'marks'),
    folder,
    sessions,
    seed: 7,
    opens: 2,
    calls: 6,
    atOnce: 2,
    timeout: 400,
  }
  try {
    await runWriter(library, task, settings)
    await using memory = await openMemory(`sqlite:${file}`, { timeout: 20_000 })
    const operations = await settle(memory, folder, sessions)
    for (const { attempts } of operations) {
      const is = attempts[0]?.process === 'writer' ? attempts[0].outcome?.is : undefined
      if (is !== undefined) outcomes[is] = (outcomes[is] ?? 0) + 1
    }
    const { ok, damage } = await memory.verify()
    const wrong = checkHistory(operations).map(({ rule, message }) => `${rule}: ${message}`)
    if (!ok) wrong.push(`verify: ${JSON.stringify(damage)}`)
    if (wrong.length === 0) rmSync(folder, { recursive: true })
    return wrong
  } catch (error) {
    return [`${(error as { code?: string }).code ?? 'untyped'}: ${(error as Error).message}`]
  }
}
