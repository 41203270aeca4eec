import type { Command } from 'commander'
import { acceptPending } from '../../../golden/files/golden-files.ts'
import { requireDatabase } from '../../../golden/freezing/sqlite-header.ts'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { choosePending, showPath } from '../golden-paths.ts'

export function addAcceptCommand(golden: Command): void {
  addCommand(
    golden,
    'accept [files...]',
    'accept pending changes as the new goldens: all, or the given files',
    'unforget golden accept test/__goldens__/memory.test.ts.goldens',
  ).action((files: string[], options: CommonOptions) => runCommand(options, (context) => accept(context, files)))
}

async function accept({ output, json }: Context, files: readonly string[]): Promise<ExitCode> {
  const chosen = choosePending(files)
  for (const { pending } of chosen) requireDatabase(pending)
  for (const one of chosen) {
    acceptPending(one)
    if (!json) await output.line(`accepted ${visibleLine(showPath(one.golden))}`)
  }
  if (json) await output.json({ accepted: chosen.map(({ golden }) => showPath(golden)) })
  else if (chosen.length === 0) await output.line('nothing to review')
  return 0
}
