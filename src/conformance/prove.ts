import { readFileSync } from 'node:fs'
import { CannotProve } from './cannot-prove.ts'
import type { Case, Level } from './case.ts'
import { readClauses } from './clauses.ts'
import { missingFor } from './offers.ts'
import { type CaseChoice, chooseCases, typed } from './prove-options.ts'
import { type CaseReport, type Report, statusOf } from './report/report.ts'
import { sumUpLevels, verdictOn } from './report/sum-up.ts'
import { Host, type Ran } from './running/parent/host.ts'
import { runFolder } from './running/parent/run-folder.ts'

export interface ProveProgress {
  /** Of the cases that the store offers. */
  readonly done: number
  readonly total: number
  readonly failed: number
  /** The one that is run now. */
  readonly id: string
  readonly level: Level
}

export interface ProveOptions extends CaseChoice {
  /** Called before each case. */
  readonly onProgress?: ((progress: ProveProgress) => void) | undefined
  /** Called and awaited after each case that ran. If it throws, so does `prove`, after ending what it started. */
  readonly onCase?: ((one: CaseReport) => void | Promise<void>) | undefined
  /** Ends it early; it rejects with the signal's reason and cleans up. */
  readonly signal?: AbortSignal | undefined
  /** Where to create a folder for the memories; default: the system's temporary folder. */
  readonly folder?: string | undefined
  /** How to name the store to `unforget prove`, for the commands in the report; default: the module's relative path. */
  readonly target?: string | undefined
}

/** Proves the store that a module exports, in separate processes. Rejects with `CannotProve` if nothing could be proved. */
export async function prove(module: URL, options: ProveOptions = {}): Promise<Report> {
  const { cases, seed, deadline } = chooseCases(options)
  const { signal, onProgress, onCase, target = typed(module) } = options
  const sentences = readClauses()
  const at = Date.now()
  const begun = performance.now()
  using folder = runFolder(options.folder)
  const host = new Host(module, folder.path)
  const stop = () => void host.kill()
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    const { name, methods, capabilities } = await host.look(deadline)
    const problem = await host.diagnose(deadline)
    if (problem !== null) throw new CannotProve('store', problem)
    const offer = { methods: new Set(methods), capabilities: new Set(capabilities) }
    const total = cases.filter((one) => missingFor(one, offer).length === 0).length
    const reports: CaseReport[] = []
    let [done, failed] = [0, 0]
    for (const one of cases) {
      const missing = missingFor(one, offer)
      let ran: Ran | null = null
      if (missing.length === 0) {
        onProgress?.({ done, total, failed, id: one.id, level: one.level })
        ran = await host.run(one.id, { seed, deadline })
        signal?.throwIfAborted()
        done += 1
        if (ran.failure !== null && statusOf(ran.failure) === 'failed') failed += 1
      }
      const report = { ...describe(one, sentences), missing, ...outcomeOf(ran) }
      reports.push(report)
      if (ran !== null) await onCase?.(report)
    }
    const notes = await host.end()
    signal?.throwIfAborted()
    return {
      kit: version(),
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      store: { name, target, methods, capabilities },
      seed,
      deadline,
      at,
      milliseconds: Math.round(performance.now() - begun),
      verdict: verdictOn(reports),
      levels: sumUpLevels(reports),
      cases: reports,
      notes,
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    await host.kill()
  }
}

function describe({ id, clause, title, level }: Case, sentences: ReadonlyMap<string, string>) {
  return { id, clause, sentence: sentences.get(clause) ?? '', title, level }
}

function outcomeOf(ran: Ran | null): Pick<CaseReport, 'status' | 'milliseconds' | 'failure'> {
  if (ran === null) return { status: 'not offered', milliseconds: 0, failure: null }
  const { failure } = ran
  const milliseconds = Math.round(ran.milliseconds)
  if (failure === null) return { status: 'passed', milliseconds, failure }
  return { status: statusOf(failure), milliseconds, failure }
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
