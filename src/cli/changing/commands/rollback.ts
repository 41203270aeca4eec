import type { Command } from 'commander'
import type { Entry } from '../../../core/entries.ts'
import type { MemoryStore } from '../../../core/memory-store.ts'
import type { Entries, ListedSnapshot } from '../../../core/types.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { renderEntryLine } from '../../looking/render-entry.ts'
import { chooseSnapshot } from '../../store/choose-snapshot.ts'
import { findSession } from '../../store/find-session.ts'
import { writing } from '../../store/open-store.ts'
import type { Output } from '../../terminal/output.ts'
import { renderFields } from '../../terminal/table.ts'
import { countEntries, showTime } from '../../terminal/wording.ts'
import { confirm } from '../confirm.ts'

interface Options extends CommonOptions {
  readonly yes?: boolean
}

/** Maximum entries shown of those removed, and of those restored. */
const shown = 10

export function addRollbackCommand(program: Command): void {
  addCommand(
    program,
    'rollback <store> <session> <snapshot>',
    'restore the state of a snapshot',
    'unforget rollback agent.db user-42 before-the-refund --yes',
  )
    .option('--yes', 'do not ask first')
    .action((store: string, session: string, snapshot: string, options: Options) =>
      runCommand(options, (context) =>
        writing(store, (memory) => rollBack(context, memory, session, snapshot, options.yes ?? false)),
      ),
    )
}

async function rollBack(
  context: Context,
  memory: MemoryStore,
  session: string,
  wanted: string,
  yes: boolean,
): Promise<ExitCode> {
  const { output, json } = context
  await findSession(memory, session)
  const snapshot = await chooseSnapshot(memory, session, wanted)
  const now = await memory.getEntries(session)
  const then = await memory.getEntries(session, { at: snapshot.id })
  const removed = without(now, then)
  const restored = without(then, now)
  const preview = renderPreview(output, session, snapshot, { now, then, removed, restored })
  await confirm(context, { question: 'Roll back?', purpose: 'roll back', preview }, yes)
  const { version, epoch, leftBehind } = await memory.rollbackToSnapshot(
    session,
    snapshot.id,
    yes ? {} : { ifVersion: now.version },
  )
  if (json) {
    const seqs = (entries: readonly Entry[]) => entries.map(({ seq }) => seq)
    await output.json({
      session,
      snapshot: snapshot.id,
      leftBehind,
      version,
      epoch,
      removed: seqs(removed),
      restored: seqs(restored),
    })
  } else {
    await output.line(`rolled back; the previous state is snapshot ${leftBehind}`)
  }
  return 0
}

function without(entries: Entries, others: Entries): Entry[] {
  const there = new Set(others.map(({ seq }) => seq))
  return entries.filter(({ seq }) => !there.has(seq))
}

function renderPreview(
  output: Output,
  session: string,
  { id, label, at }: ListedSnapshot,
  { now, then, removed, restored }: Record<'now' | 'then' | 'removed' | 'restored', readonly Entry[]>,
): string {
  const fields = renderFields(
    [
      ['session', session],
      ['snapshot', `${label === null ? id : `${id} (${label})`}, saved ${showTime(at)}`],
      ['now', countEntries(now.length)],
      ['then', countEntries(then.length)],
    ],
    output.width,
    (text) => output.paint('bold', text),
  )
  const changes = [
    ...listChange(output, 'red', '-', removed),
    ...listChange(output, 'green', '+', restored),
    ...(removed.length + restored.length === 0 ? ['nothing changes'] : []),
  ]
  return fields + changes.map((line) => `${line}\n`).join('')
}

function listChange(output: Output, style: 'red' | 'green', sign: string, entries: readonly Entry[]): string[] {
  const lines = entries.slice(-shown).map((entry) => renderEntryLine(entry, output.width - 2))
  if (entries.length > shown) lines.unshift(`… ${(entries.length - shown).toLocaleString('en')} more`)
  return lines.map((line) => output.paint(style, `${sign} ${line}`))
}
