import type { Command } from 'commander'
import { rejectPending } from '../../../golden/files/golden-files.ts'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { choosePending, showPath } from '../golden-paths.ts'

export function addRejectCommand(golden: Command): void {
  addCommand(
    golden,
    'reject [files...]',
    'drop pending changes and keep the goldens: all, or the given files',
    'unforget golden reject test/__goldens__/memory.test.ts.goldens',
  ).action((files: string[], options: CommonOptions) => runCommand(options, (context) => reject(context, files)))
}

async function reject({ output, json }: Context, files: readonly string[]): Promise<ExitCode> {
  const chosen = choosePending(files)
  for (const one of chosen) {
    rejectPending(one)
    if (!json) await output.line(`rejected ${visibleLine(showPath(one.pending))}`)
  }
  if (json) await output.json({ rejected: chosen.map(({ pending }) => showPath(pending)) })
  else if (chosen.length === 0) await output.line('nothing to review')
  return 0
}
