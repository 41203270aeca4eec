import type { Command } from 'commander'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { findSession } from '../../store/find-session.ts'
import { writing } from '../../store/open-store.ts'

interface Options extends CommonOptions {
  readonly label?: string
  readonly id?: string
}

export function addSnapshotCommand(program: Command): void {
  addCommand(
    program,
    'snapshot <store> <session>',
    'save a snapshot of a session',
    'unforget snapshot agent.db user-42 --label "before the refund"',
  )
    .option('--label <text>', 'a human-readable label')
    .option('--id <id>', 'your own id (default: generated)')
    .action((store: string, session: string, options: Options) =>
      runCommand(options, (context) => saveSnapshot(context, store, session, options)),
    )
}

async function saveSnapshot(
  { output, json }: Context,
  store: string,
  session: string,
  { label, id }: Options,
): Promise<ExitCode> {
  const saved = await writing(store, async (memory) => {
    const { version } = await findSession(memory, session)
    return memory.saveSnapshot(session, { label, id, ifVersion: version })
  })
  if (json) await output.json(saved)
  else await output.line(`saved snapshot ${visibleLine(saved.id)}`)
  return 0
}
