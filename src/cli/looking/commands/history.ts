import { type Command, InvalidArgumentError } from 'commander'
import type { MemoryStore } from '../../../core/memory-store.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { chooseSnapshot } from '../../store/choose-snapshot.ts'
import { findSession } from '../../store/find-session.ts'
import { reading } from '../../store/open-store.ts'
import { visibleJson } from '../../terminal/visible-json.ts'
import { follow } from '../follow.ts'
import { readTurns } from '../read-turns.ts'
import { renderEntry } from '../render-entry.ts'

interface Options extends CommonOptions {
  readonly last?: number
  readonly at?: string
  readonly all?: boolean
  readonly follow?: boolean
}

export function addHistoryCommand(program: Command): void {
  addCommand(
    program,
    'history <store> <session>',
    'show the conversation',
    'unforget history agent.db user-42 --last 10 --follow',
  )
    .option('--last <n>', 'show only the newest n', toCount)
    .option('--at <snapshot>', 'show the state at a snapshot')
    .option('--all', 'show everything, including tool-call records and all summaries')
    .option('--follow', 'keep showing new turns as they arrive, until Ctrl-C')
    .action((store: string, session: string, options: Options, command: Command) => {
      if (options.at !== undefined && options.follow) command.error('error: --at and --follow cannot be combined')
      return runCommand(options, (context) =>
        reading(store, (memory) => showHistory(context, memory, session, options)),
      )
    })
}

async function showHistory(
  context: Context,
  memory: MemoryStore,
  session: string,
  { last = Number.POSITIVE_INFINITY, at: wanted, all = false, follow: goOn = false }: Options,
): Promise<ExitCode> {
  const { output, json } = context
  await findSession(memory, session)
  const at = wanted === undefined ? undefined : (await chooseSnapshot(memory, session, wanted)).id
  const { turns, read } = await readTurns(memory, session, { all, at }, ({ length }) => length >= last)
  const shown = last === 0 ? [] : turns.slice(-last)
  if (json && !goOn) {
    await output.json({ session, snapshot: at ?? null, version: read.version, epoch: read.epoch, entries: shown })
  } else if (json) {
    for (const entry of shown) await output.line(visibleJson(entry))
  } else {
    for (const [index, entry] of shown.entries())
      await output.write(`${index > 0 ? '\n' : ''}${renderEntry(entry, output)}`)
    if (shown.length === 0 && !goOn) await output.line('no turns')
  }
  if (goOn) await follow(context, memory, session, { all, from: read, isFirst: shown.length === 0 })
  return 0
}

function toCount(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Expected a whole number')
  return Number(value)
}
