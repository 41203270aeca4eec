import type { Command } from 'commander'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { findSession } from '../../store/find-session.ts'
import { writing } from '../../store/open-store.ts'
import { withProgress } from '../../store/with-progress.ts'
import { countEntries } from '../../terminal/wording.ts'

export function addSweepCommand(program: Command): void {
  addCommand(
    program,
    'sweep <store> [session]',
    'remove entries that no session or snapshot reads, and expired sessions',
    'unforget sweep agent.db',
  ).action((store: string, session: string | undefined, options: CommonOptions) =>
    runCommand(options, (context) => sweep(context, store, session)),
  )
}

async function sweep({ output, json, signal }: Context, store: string, session?: string): Promise<ExitCode> {
  const swept = await writing(store, async (memory) => {
    if (session !== undefined) await findSession(memory, session)
    return withProgress(memory, { what: 'sweeping', session, signal }, (onProgress) =>
      memory.sweep(session, { onProgress }),
    )
  })
  if (json) await output.json(swept)
  else {
    await output.line(`removed ${countEntries(swept.entries)}`)
    for (const id of swept.damaged) await output.line(`skipped, because it is damaged: ${visibleLine(id)}`)
  }
  return swept.damaged.length === 0 ? 0 : 1
}
