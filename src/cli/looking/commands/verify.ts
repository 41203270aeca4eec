import type { Command } from 'commander'
import { describeSeqs } from '../../../core/path.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { findSession } from '../../store/find-session.ts'
import { reading } from '../../store/open-store.ts'
import { withProgress } from '../../store/with-progress.ts'
import { count, countEntries } from '../../terminal/wording.ts'

export function addVerifyCommand(program: Command): void {
  addCommand(
    program,
    'verify <store> [session]',
    'read everything that must exist, and list all damage',
    'unforget verify agent.db',
  ).action((store: string, session: string | undefined, options: CommonOptions) =>
    runCommand(options, (context) => verify(context, store, session)),
  )
}

async function verify({ output, json, signal }: Context, store: string, session?: string): Promise<ExitCode> {
  const verified = await reading(store, async (memory) => {
    if (session !== undefined) await findSession(memory, session)
    return withProgress(memory, { what: 'verifying', session, signal }, (onProgress) =>
      memory.verify(session, { onProgress }),
    )
  })
  const { ok, sessions, entries, damage } = verified
  if (json) await output.json(verified)
  else {
    if (!ok) {
      await output.table(
        [{ title: 'session', least: 10 }, { title: 'entries', least: 8 }, { title: 'problem' }],
        damage.map((one) => [one.session ?? '(unknown)', describeSeqs(one.seqs), one.reason]),
      )
    }
    const found = ok ? output.paint('green', 'all intact') : output.paint('red', count(damage.length, 'damaged place'))
    await output.line(`${count(sessions, 'session')}, ${countEntries(entries)}: ${found}`)
  }
  return ok ? 0 : 1
}
