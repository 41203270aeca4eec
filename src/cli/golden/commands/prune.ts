import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { findOrphans, removeGolden } from '../../../golden/files/golden-files.ts'
import { isGolden, testFileOf } from '../../../golden/files/golden-names.ts'
import type { UsedRecord } from '../../../golden/finish-file.ts'
import { messageOf } from '../../../plain/message-of.ts'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { CannotRun, type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { ask, canAsk } from '../../terminal/ask.ts'
import { count } from '../../terminal/wording.ts'
import { showPath } from '../golden-paths.ts'

interface Options extends CommonOptions {
  readonly yes?: boolean
  readonly used?: string
}

export function addPruneCommand(golden: Command): void {
  addCommand(
    golden,
    'prune',
    'delete unused goldens: those of test files that are gone, or no longer load unforget/golden',
    'unforget golden prune --yes',
  )
    .option('--used <file>', 'also goldens that no test used in the run that wrote this file (SNAPSHOT_USED=file)')
    .option('--yes', 'do not ask first')
    .action((options: Options) => runCommand(options, (context) => prune(context, options)))
}

async function prune({ output, json, signal }: Context, { yes = false, used }: Options): Promise<ExitCode> {
  const unused = [...new Set([...findOrphans(resolve('')), ...(used === undefined ? [] : readUnused(used))])].sort()
  if (!json) for (const golden of unused) await output.line(visibleLine(showPath(golden)))
  if (unused.length > 0 && !yes) {
    if (!canAsk()) throw new CannotRun('stdin is not a terminal; pass --yes to delete them; nothing was changed')
    if (!(await ask(`Delete ${count(unused.length, 'golden')}?`, signal))) throw new CannotRun('nothing was changed')
  }
  for (const golden of unused) removeGolden(golden)
  if (json) await output.json({ deleted: unused.map(showPath) })
  else
    await output.line(
      unused.length === 0
        ? 'every golden belongs to a test file that may use it'
        : `deleted ${count(unused.length, 'golden')}`,
    )
  return 0
}

/** Goldens unused in every complete run of their test file. A partial run says nothing. */
function readUnused(file: string): string[] {
  const records = readRecords(file)
  const partial = new Set(records.filter(({ complete }) => !complete).map(({ testFile }) => testFile))
  const whole = records.filter(({ testFile }) => !partial.has(testFile))
  return whole
    .flatMap(({ obsolete }) => obsolete)
    .filter((golden) => isGolden(golden) && testFileOf(dirname(golden)) !== null && existsSync(golden))
    .filter((golden) =>
      whole
        .filter(({ testFile }) => whole.some((one) => one.testFile === testFile && one.obsolete.includes(golden)))
        .every(({ obsolete }) => obsolete.includes(golden)),
    )
}

function readRecords(file: string): UsedRecord[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    const records = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as UsedRecord)
    for (const { obsolete } of records) if (!Array.isArray(obsolete)) throw new Error('a line lists no goldens')
    return records
  } catch (error) {
    throw new CannotRun(`${file} was not written by a run with SNAPSHOT_USED: ${messageOf(error)}; nothing was changed`)
  }
}
