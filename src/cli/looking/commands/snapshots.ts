import type { Command } from 'commander'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { findSession } from '../../store/find-session.ts'
import { reading } from '../../store/open-store.ts'
import { showTime } from '../../terminal/wording.ts'

export function addSnapshotsCommand(program: Command): void {
  addCommand(
    program,
    'snapshots <store> <session>',
    'list the snapshots of a session',
    'unforget snapshots agent.db user-42',
  ).action((store: string, session: string, options: CommonOptions) =>
    runCommand(options, (context) => listSnapshots(context, store, session)),
  )
}

async function listSnapshots({ output, json }: Context, store: string, session: string): Promise<ExitCode> {
  const snapshots = await reading(store, async (memory) => {
    await findSession(memory, session)
    return memory.listSnapshots(session)
  })
  if (json) await output.json({ session, snapshots })
  else if (snapshots.length === 0) await output.line('no snapshots')
  else {
    await output.table(
      [
        { title: 'snapshot', least: 36 },
        { title: 'entries', align: 'right' },
        { title: 'saved' },
        { title: 'label', least: 8 },
      ],
      snapshots.map(({ id, label, automatic, at, entries }) => [
        id,
        entries.toLocaleString('en'),
        showTime(at),
        automatic ? '(automatic)' : (label ?? ''),
      ]),
    )
  }
  return 0
}
