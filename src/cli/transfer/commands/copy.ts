import type { Command } from 'commander'
import { quote } from '../../../core/errors.ts'
import type { MemoryStore } from '../../../core/memory-store.ts'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import {
  CannotRun,
  type CommonOptions,
  type Context,
  type ExitCode,
  report,
  runCommand,
} from '../../command/run-command.ts'
import { allSessions } from '../../store/find-session.ts'
import { reading, toUrl, writing } from '../../store/open-store.ts'
import { count } from '../../terminal/wording.ts'
import { sayTally } from '../bring-session.ts'
import { type Compared, type Copied, compareSessions, copySessions, type Stores } from '../copy-sessions.ts'
import { isOneStore } from '../is-one-store.ts'

interface Options extends CommonOptions {
  readonly replace?: boolean
}

export function addCopyCommand(program: Command): void {
  addCommand(
    program,
    'copy <from> <to>',
    'copy every session to another store, including snapshots, and compare both',
    'unforget copy agent.db redis://127.0.0.1:6379',
  )
    .option('--replace', 'overwrite sessions whose version differs in the other store')
    .action((from: string, to: string, options: Options) =>
      runCommand(options, async (context) => {
        if (toUrl(from) === toUrl(to)) throw oneStore()
        return reading(from, (source) =>
          writing(to, (target) => copyAll(context, { from: source, to: target }, toUrl(to), options), {
            create: true,
            patient: true,
          }),
        )
      }),
    )
}

/** Existing sessions are not written to, so an interrupted copy continues where it stopped. */
async function copyAll(
  { output, json, signal }: Context,
  stores: Stores,
  url: string,
  { replace = false }: Options,
): Promise<ExitCode> {
  if (replace && (await isOneStore(stores.from, url))) throw oneStore()
  const ids: string[] = []
  for await (const { id } of allSessions(stores.from)) ids.push(id)
  const done = await copySessions(stores, ids, { replace, signal })
  const { refused, tally } = done
  if (!replace && tally.brought === 0 && tally.present > 0 && (await isOneStore(stores.from, url))) throw oneStore()
  const compared: Compared[] = []
  for await (const one of compareSessions(stores, ids, signal)) {
    if (one.from === null && one.to === null && one.damage === undefined) continue
    compared.push(one)
    if (!json && isSameIn(one)) await output.line(`${one.from}  ${visibleLine(one.id)}`)
  }
  const more = await countOthers(stores.to, new Set(ids))
  const different = compared.filter((one) => !isSameIn(one))
  const isSame = different.length === 0
  if (json) {
    const { brought: copied, ...counts } = tally
    const sessions = compared.map(({ id, from, to, damage }) => {
      const reason = damage?.reason ?? refused.get(id)
      return { id, from, to, ...(reason !== undefined && { reason }) }
    })
    await output.json({ copied, ...counts, same: isSame, more, sessions })
  } else {
    await output.line(sayTally('copied', tally))
    if (isSame) await output.line(saySame(more))
  }
  for (const one of different) report(one.damage ?? new CannotRun(sayDifference(one, refused)), false)
  return isSame ? 0 : 1
}

function isSameIn({ from, to, damage }: Compared): boolean {
  return from === to && damage === undefined
}

async function countOthers(store: MemoryStore, known: ReadonlySet<string>): Promise<number> {
  let others = 0
  for await (const { id } of allSessions(store)) if (!known.has(id)) others += 1
  return others
}

function oneStore(): CannotRun {
  return new CannotRun('source and target are the same store; nothing was copied')
}

function saySame(more: number): string {
  if (more === 0) return 'both stores match'
  return `both stores match in these; the other one has ${count(more, 'session')} more`
}

function sayDifference({ id, from, to }: Compared, refused: Copied['refused']): string {
  const reason = refused.get(id)
  if (reason !== undefined) return `session ${quote(id)} cannot be copied: ${reason}`
  if (from === null) return `session ${quote(id)} is missing or incomplete in the source store`
  if (to === null) return `session ${quote(id)} is missing or incomplete in the other store`
  return `session ${quote(id)} differs in the other store (${from} here, ${to} there) and was left unchanged`
}
