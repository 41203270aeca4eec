import { writeFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { CannotProve } from '../../../conformance/cannot-prove.ts'
import { type Level, levels } from '../../../conformance/case.ts'
import { exitCodes } from '../../../conformance/report/report.ts'
import { messageOf } from '../../../plain/message-of.ts'
import { addCommand } from '../../command/add-command.ts'
import {
  CannotRun,
  type CommonOptions,
  type Context,
  type ExitCode,
  report,
  runCommand,
} from '../../command/run-command.ts'
import { type Output, OutputClosed } from '../../terminal/output.ts'
import { printReport } from '../print-report.ts'
import { ProveLine } from '../prove-line.ts'
import { ProveLog } from '../prove-log.ts'
import { type ProveView, ProveWatch } from '../prove-watch.ts'
import { renderReportPage } from '../report-page.ts'

interface ProveCommandOptions extends CommonOptions {
  readonly level?: Level[]
  readonly case?: string[]
  readonly seed?: number
  readonly deadline?: number
  readonly html?: string
  readonly goldfish?: string
}

const exits = `
Exit codes: 0 everything offered holds, 1 a clause is broken, 2 the store could
not be opened or qualifies for no case, 3 the kit itself failed, 4 a case did
not finish in time and no clause is known to be broken.`

export function addProveCommand(program: Command): void {
  addCommand(
    program,
    'prove [store]',
    'prove that a store (a module or a URL) keeps what it is given',
    'unforget prove ./my-store.js',
  )
    .addOption(new Option('--level <level>', 'only this level; repeatable').choices(levels).argParser(addLevel))
    .option('--case <id>', 'only this case or clause; repeatable', add)
    .option('--seed <n>', 'seed for everything random, to repeat a run', toWholeNumber)
    .option('--deadline <seconds>', 'stop a case that takes longer (default: 20)', toSeconds)
    .option('--html <file>', 'also write the report as one page')
    .option('--goldfish <name>', 'prove a store that is broken on purpose')
    .addHelpText('after', exits)
    .action((store: string | undefined, options: ProveCommandOptions) =>
      runCommand(options, (context) => proveStore(context, store, options)),
    )
}

async function proveStore(
  context: Context,
  store: string | undefined,
  options: ProveCommandOptions,
): Promise<ExitCode> {
  try {
    return await proveAndPrint(context, store, options)
  } catch (error) {
    const isOurs = error instanceof CannotProve ? error.fault === 'kit' : !isExpected(error)
    if (!isOurs || context.signal.aborted) throw error
    report(error, options.debug ?? false)
    report('this is a failure of the kit or the machine, not of the store', false)
    return 3
  }
}

function isExpected(error: unknown): boolean {
  return error instanceof CannotRun || error instanceof OutputClosed || error instanceof RangeError
}

async function proveAndPrint(
  { output, json, signal }: Context,
  store: string | undefined,
  options: ProveCommandOptions,
): Promise<ExitCode> {
  const { findTarget } = await import('../prove-target.ts')
  const { prove } = await import('../../../conformance/prove.ts')
  const { module, target, folder, notes } = findTarget(store, options.goldfish)
  const watch = new ProveWatch()
  using view = viewOf(watch, output, json)
  const proved = await prove(module, {
    levels: options.level,
    cases: options.case,
    seed: options.seed,
    deadline: options.deadline,
    target,
    folder,
    signal,
    onProgress: (progress) => view.begin(progress),
    onCase: (one) => view.end(one),
  }).finally(() => {
    view[Symbol.dispose]()
    if (signal.aborted) report(`interrupted at ${watch}`, false)
  })
  const result = { ...proved, notes: [...notes, ...proved.notes] }
  if (options.html !== undefined) await writePage(options.html, renderReportPage(result))
  if (json) await output.json(result)
  else {
    if (view instanceof ProveLog && view.hasLines) await output.line('')
    await printReport(output, result)
  }
  return exitCodes[result.verdict]
}

/** A line that is redrawn on a terminal, or permanent lines without one: on stderr with JSON, else on stdout. */
function viewOf(watch: ProveWatch, output: Output, json: boolean): ProveView {
  if (process.stderr.isTTY && (json || output.isTerminal)) return new ProveLine(watch)
  if (!json) return new ProveLog(watch, (line) => output.line(line))
  return new ProveLog(watch, (line) => new Promise((resolve) => process.stderr.write(`${line}\n`, () => resolve())))
}

async function writePage(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page)
  } catch (error) {
    throw new CannotRun(`the page could not be written: ${messageOf(error)}`)
  }
}

function add(value: string, before: string[] = []): string[] {
  return [...before, value]
}

function addLevel(value: string, before: Level[] = []): Level[] {
  const level = levels.find((one) => one === value)
  if (level === undefined) throw new InvalidArgumentError(`Expected one of ${levels.join(', ')}`)
  return [...before, level]
}

function toWholeNumber(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value)))
    throw new InvalidArgumentError('Expected a whole number')
  return Number(value)
}

function toSeconds(value: string): number {
  const seconds = Number(value)
  if (!(seconds > 0 && seconds <= 86_400)) throw new InvalidArgumentError('Expected seconds')
  return seconds * 1000
}
