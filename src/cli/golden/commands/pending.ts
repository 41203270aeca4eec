import type { Command } from 'commander'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { count } from '../../terminal/wording.ts'
import { nameOf, type PendingChange, readChange, showNotApplied, summarize } from '../golden-changes.ts'
import { choosePending, showPath } from '../golden-paths.ts'

export function addPendingCommand(golden: Command): void {
  addCommand(
    golden,
    'pending',
    'list pending changes; exits with 1 if there are any',
    'unforget golden pending --json',
  ).action((options: CommonOptions) => runCommand(options, listPending))
}

export async function listPending({ output, json, signal }: Context): Promise<ExitCode> {
  const changes: PendingChange[] = []
  for (const pending of choosePending([])) {
    signal.throwIfAborted()
    const change = readChange(pending)
    changes.push(change)
    if (json) continue
    await output.line(visibleLine(showPath(change.pending)))
    const { diff, problem, notApplied } = change
    await output.fields([
      ['  test', nameOf(change) ?? '(unknown)'],
      ['  changes', diff === null ? (problem ?? '') : summarize(diff)],
      ...(notApplied.length === 0 ? [] : [['  note', showNotApplied(notApplied)] as const]),
    ])
    await output.line('')
  }
  if (json) {
    await output.json({
      pending: changes.map(({ golden, pending, ...change }) => ({
        golden: showPath(golden),
        pending: showPath(pending),
        ...change,
      })),
    })
  } else {
    const waiting = `${count(changes.length, 'change')} pending`
    await output.line(changes.length === 0 ? 'nothing to review' : `${waiting}: unforget golden review`)
  }
  return changes.length === 0 ? 0 : 1
}
