import type { Command } from 'commander'
import type { MemoryStore } from '../../../core/memory-store.ts'
import { isLost } from '../../../core/recognize-error.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { findSession, sessionIds } from '../../store/find-session.ts'
import { writing } from '../../store/open-store.ts'
import { renderFields } from '../../terminal/table.ts'
import { count, countEntries, showTime } from '../../terminal/wording.ts'
import { confirm } from '../confirm.ts'

interface Options extends CommonOptions {
  readonly owner?: string
  readonly yes?: boolean
}

export function addDeleteCommand(program: Command): void {
  addCommand(
    program,
    'delete <store> [sessions...]',
    'permanently delete sessions and their snapshots, by id or by owner',
    'unforget delete agent.db --owner ann --yes',
  )
    .option('--owner <owner>', 'delete every session of this owner; if interrupted, run again')
    .option('--yes', 'do not ask first')
    .action((store: string, sessions: string[], options: Options, command: Command) => {
      if ((options.owner === undefined) === (sessions.length === 0)) {
        command.error('error: expected either sessions or --owner')
      }
      return runCommand(options, (context) =>
        writing(store, (memory) => deleteSessions(context, memory, [...new Set(sessions)], options)),
      )
    })
}

async function deleteSessions(
  context: Context,
  memory: MemoryStore,
  sessions: readonly string[],
  { owner, yes = false }: Options,
): Promise<ExitCode> {
  const fields =
    owner === undefined
      ? await Promise.all(sessions.map(async (id) => ['session', await describeSession(memory, id)] as const))
      : [['owner', `${owner}, ${count((await sessionIds(memory, { owner })).length, 'session')}`] as const]
  const { output, json } = context
  const preview = renderFields(fields, output.width, (text) => output.paint('bold', text))
  await confirm(context, { question: 'Delete for good?', purpose: 'delete', preview }, yes)
  let deleted = 0
  if (owner !== undefined) deleted = await memory.deleteSessions({ owner })
  else for (const id of sessions) if (await memory.deleteSession(id)) deleted += 1
  if (json) await output.json({ deleted })
  else await output.line(`deleted ${count(deleted, 'session')}`)
  return 0
}

/** A damaged session can be deleted as well. */
async function describeSession(memory: MemoryStore, id: string): Promise<string> {
  try {
    const { entries, updatedAt } = await findSession(memory, id)
    return `${id}, ${countEntries(entries)}, last written ${showTime(updatedAt)}`
  } catch (error) {
    if (!isLost(error)) throw error
    return `${id}, damaged`
  }
}
