import type { Command } from 'commander'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { parsePositive } from '../../command/parse-positive.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { chooseSnapshot } from '../../store/choose-snapshot.ts'
import { writing } from '../../store/open-store.ts'
import { countEntries } from '../../terminal/wording.ts'

interface Options extends CommonOptions {
  readonly at?: string
  readonly to?: number
}

export function addForkCommand(program: Command): void {
  addCommand(
    program,
    'fork <store> <session> <target>',
    'copy a session, or one of its snapshots, into a new session; --to copies its beginning',
    'unforget fork agent.db user-42 user-42-again --at before-the-refund',
  )
    .option('--at <snapshot>', 'copy the state of this snapshot')
    .option('--to <seq>', 'copy up to this entry', parsePositive)
    .action((store: string, session: string, target: string, options: Options) =>
      runCommand(options, (context) => fork(context, { store, session, target }, options)),
    )
}

async function fork(
  { output, json }: Context,
  { store, session, target }: Record<'store' | 'session' | 'target', string>,
  { at: wanted, to }: Options,
): Promise<ExitCode> {
  const forked = await writing(store, async (memory) => {
    const at = wanted === undefined ? undefined : (await chooseSnapshot(memory, session, wanted)).id
    return { snapshot: at ?? null, ...(await memory.fork(session, target, { at, to })) }
  })
  if (json) await output.json({ session, target, ...forked })
  else await output.line(`copied ${countEntries(forked.entries)} into ${visibleLine(target)}`)
  return 0
}
