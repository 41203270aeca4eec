import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { GoldenError } from '../../../golden/errors.ts'
import { findGoldens, findOrphans, orphanhoodOf } from '../../../golden/files/golden-files.ts'
import { reportPath } from '../../../golden/files/golden-names.ts'
import { isReportStale } from '../../../golden/files/report.ts'
import { requireDatabase } from '../../../golden/freezing/sqlite-header.ts'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { count } from '../../terminal/wording.ts'
import { showPath } from '../golden-paths.ts'

export function addCheckCommand(golden: Command): void {
  addCommand(
    golden,
    'check',
    'for CI: check that the report next to each golden matches it, and that a test file may still use it',
    'unforget golden check',
  ).action((options: CommonOptions) => runCommand(options, check))
}

async function check({ output, json, signal }: Context): Promise<ExitCode> {
  const goldens = findGoldens(resolve(''))
  const orphans = new Set(findOrphans(resolve('')))
  const wrong: { golden: string; reason: string }[] = []
  for (const golden of goldens) {
    signal.throwIfAborted()
    const reason = orphans.has(golden) ? `${orphanhoodOf(golden)}: unforget golden prune` : findFault(golden)
    if (reason !== null) wrong.push({ golden: showPath(golden), reason })
  }
  if (json) await output.json({ goldens: goldens.length, wrong })
  else {
    for (const { golden, reason } of wrong) {
      await output.line(`${output.paint('red', visibleLine(golden))}\n  ${visibleLine(reason)}`)
    }
    const verdict = wrong.length === 0 ? output.paint('green', 'every report matches') : `${wrong.length} wrong`
    await output.line(`${count(goldens.length, 'golden')}: ${verdict}`)
  }
  return wrong.length === 0 ? 0 : 1
}

const advice = 'run the tests locally and commit it'

function findFault(golden: string): string | null {
  try {
    if (!existsSync(golden)) return `the golden itself is missing: ${advice}, or delete its other files`
    requireDatabase(golden)
    if (!existsSync(reportPath(golden))) return `its report is missing: ${advice}`
    return isReportStale(golden) ? `its report does not match: ${advice}` : null
  } catch (error) {
    if (error instanceof GoldenError) return error.message
    throw error
  }
}
