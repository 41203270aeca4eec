import type { Command } from 'commander'
import { quote } from '../../core/errors.ts'
import { addCommand } from '../add-command.ts'
import { type Compared, compareSessions, copySessions, type Stores } from '../copy-sessions.ts'
import { allSessions } from '../find-session.ts'
import { isOneStore } from '../is-one-store.ts'
import { reading, toUrl, writing } from '../open-store.ts'
import { CannotRun, type CommonOptions, type Context, type ExitCode, report, runCommand } from '../run-command.ts'
import { visibleLine } from '../visible-text.ts'
import { count, countEntries } from '../wording.ts'

export function addCopyCommand(program: Command): void {
  addCommand(
    program,
    'copy <from> <to>',
    'bring every session into another store, snapshots and all, and compare both',
    'unforget copy agent.db redis://127.0.0.1:6379',
  ).action((from: string, to: string, options: CommonOptions) =>
    runCommand(options, async (context) => {
      if (toUrl(from) === toUrl(to)) throw oneStore()
      return reading(from, (source) =>
        writing(to, (target) => copyAll(context, { from: source, to: target }), { create: true }),
      )
    }),
  )
}

/** Sessions that are there already are not written to, so that a copy that was interrupted goes on where it ended. */
async function copyAll({ output, json, signal }: Context, stores: Stores): Promise<ExitCode> {
  const ids: string[] = []
  for await (const { id } of allSessions(stores.from)) ids.push(id)
  const { copied, present, entries, damaged } = await copySessions(stores, ids, signal)
  if (copied === 0 && present > 0 && (await isOneStore(stores))) throw oneStore()
  const compared: Compared[] = []
  for await (const one of compareSessions(stores, ids, signal)) {
    if (one.from === null && one.to === null) continue
    compared.push(one)
    if (!json && one.from === one.to) await output.line(`${one.from}  ${visibleLine(one.id)}`)
  }
  const different = compared.filter((one) => one.from !== one.to)
  const isSame = different.length === 0 && damaged.length === 0
  if (json) {
    const sessions = compared.map(({ id, from, to }) => ({ id, from, to }))
    await output.json({ copied, present, entries, same: isSame, sessions })
  } else {
    const already = present === 0 ? '' : `, ${present.toLocaleString('en')} there already`
    await output.line(`copied ${count(copied, 'session')}, ${countEntries(entries)}${already}`)
    if (isSame) await output.line('both stores say the same')
  }
  for (const error of damaged) report(error, false)
  for (const one of different) report(new CannotRun(sayDifference(one)), false)
  return isSame ? 0 : 1
}

function oneStore(): CannotRun {
  return new CannotRun('that is one store, not two; nothing was copied')
}

function sayDifference({ id, from, to }: Compared): string {
  if (from === null) return `session ${quote(id)} is not, or not whole, in the store it was to come from`
  if (to === null) return `session ${quote(id)} is not, or not whole, in the other store`
  return `session ${quote(id)} says something else in the other store (${from} here, ${to} there), and was left as it is`
}
