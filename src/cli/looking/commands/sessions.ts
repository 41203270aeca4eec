import type { Command } from 'commander'
import { MemoryLostError } from '../../../core/errors.ts'
import type { SessionInfo } from '../../../core/types.ts'
import { addCommand } from '../../command/add-command.ts'
import { parsePositive } from '../../command/parse-positive.ts'
import { type CommonOptions, type Context, type ExitCode, report, runCommand } from '../../command/run-command.ts'
import { allSessions } from '../../store/find-session.ts'
import { reading } from '../../store/open-store.ts'
import type { Column } from '../../terminal/table.ts'
import { showTime } from '../../terminal/wording.ts'

interface Options extends CommonOptions {
  readonly owner?: string
  readonly limit?: number
}

interface SessionColumn extends Column {
  readonly show: (info: SessionInfo) => string
}

export function addSessionsCommand(program: Command): void {
  addCommand(program, 'sessions <store>', 'list the sessions', 'unforget sessions agent.db --owner ann')
    .option('--owner <owner>', "only this owner's sessions, most recently written first")
    .option('--limit <n>', 'at most this many', parsePositive)
    .action((store: string, options: Options) =>
      runCommand(options, (context) => listSessions(context, store, options)),
    )
}

async function listSessions(
  { output, json, signal }: Context,
  store: string,
  { owner, limit = Number.POSITIVE_INFINITY }: Options,
): Promise<ExitCode> {
  const sessions: SessionInfo[] = []
  const damaged: string[] = []
  let isMore = false
  await reading(store, async (memory) => {
    for await (const { id, info } of allSessions(memory, owner)) {
      signal.throwIfAborted()
      isMore = sessions.length + damaged.length >= limit
      if (isMore) break
      if (info === null) damaged.push(id)
      else sessions.push(info)
    }
  })
  if (json) await output.json({ sessions, damaged, more: isMore })
  else if (sessions.length === 0) await output.line('no sessions')
  else {
    const columns = columnsFor(sessions, owner)
    await output.table(
      columns,
      sessions.map((info) => columns.map(({ show }) => show(info))),
    )
    if (isMore) await output.line('there are more; raise --limit to see them')
  }
  for (const id of damaged) report(new MemoryLostError(id, [], 'its state is missing'), false)
  return damaged.length === 0 ? 0 : 1
}

/** Shows owners and titles if there are any. */
function columnsFor(sessions: readonly SessionInfo[], owner: string | undefined): SessionColumn[] {
  const all: (SessionColumn | false)[] = [
    { title: 'session', least: 12, show: ({ id }) => id },
    owner === undefined &&
      sessions.some((info) => info.owner !== null) && { title: 'owner', least: 8, show: (info) => info.owner ?? '' },
    sessions.some(({ title }) => title !== null) && { title: 'title', least: 12, show: ({ title }) => title ?? '' },
    { title: 'entries', align: 'right', show: ({ entries }) => entries.toLocaleString('en') },
    { title: 'last written', show: ({ updatedAt }) => showTime(updatedAt) },
    { title: 'expires', show: ({ expiresAt }) => (expiresAt === null ? 'never' : showTime(expiresAt)) },
  ]
  return all.filter((column) => column !== false)
}
