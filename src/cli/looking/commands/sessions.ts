import type { Command } from 'commander'
import { MemoryLostError } from '../../../core/errors.ts'
import type { SessionInfo } from '../../../core/types.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, report, runCommand } from '../../command/run-command.ts'
import { allSessions } from '../../store/find-session.ts'
import { reading } from '../../store/open-store.ts'
import { showTime } from '../../terminal/wording.ts'

export function addSessionsCommand(program: Command): void {
  addCommand(program, 'sessions <store>', 'list the sessions', 'unforget sessions agent.db').action(
    (store: string, options: CommonOptions) => runCommand(options, (context) => listSessions(context, store)),
  )
}

async function listSessions({ output, json, signal }: Context, store: string): Promise<ExitCode> {
  const sessions: SessionInfo[] = []
  const damaged: string[] = []
  await reading(store, async (memory) => {
    for await (const { id, info } of allSessions(memory)) {
      signal.throwIfAborted()
      if (info === null) damaged.push(id)
      else sessions.push(info)
    }
  })
  if (json) await output.json({ sessions, damaged })
  else if (sessions.length === 0) await output.line('no sessions')
  else {
    await output.table(
      [
        { title: 'session', least: 12 },
        { title: 'entries', align: 'right' },
        { title: 'last written' },
        { title: 'expires' },
      ],
      sessions.map(({ id, entries, updatedAt, expiresAt }) => [
        id,
        entries.toLocaleString('en'),
        showTime(updatedAt),
        expiresAt === null ? 'never' : showTime(expiresAt),
      ]),
    )
  }
  for (const id of damaged) report(new MemoryLostError(id, [], 'its state is missing'), false)
  return damaged.length === 0 ? 0 : 1
}
