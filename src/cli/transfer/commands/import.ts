import type { Command } from 'commander'
import { messageOf } from '../../../plain/message-of.ts'
import { addCommand } from '../../command/add-command.ts'
import { CannotRun, type CommonOptions, type Context, report, runCommand } from '../../command/run-command.ts'
import { writing } from '../../store/open-store.ts'
import { newTally, sayTally, type Tally } from '../bring-session.ts'
import { importSessions } from '../import-sessions.ts'
import { readSessions } from '../read-sessions.ts'
import type { ReadSession } from '../read-transfer.ts'
import { Refusals } from '../refusals.ts'

interface Options extends CommonOptions {
  readonly replace?: boolean
}

export function addImportCommand(program: Command): void {
  addCommand(
    program,
    'import <store> <file>',
    'import exported sessions into a store; run again to continue; - reads stdin',
    'unforget import new.db backup.jsonl',
  )
    .option('--replace', 'overwrite sessions that differ in the store')
    .action((store: string, file: string, options: Options) =>
      runCommand(options, async (context) => {
        const refusals = new Refusals(file === '-' ? 'stdin' : file)
        const tally = newTally()
        try {
          await importFile(context, { store, file, replace: options.replace ?? false }, { tally, refusals })
        } finally {
          refusals.tell()
        }
        const { brought: sessions, ...counts } = tally
        if (context.json) await context.output.json({ sessions, ...counts, refused: refusals.list })
        else await context.output.line(sayTally('imported', tally))
        return refusals.list.length === 0 ? 0 : 1
      }),
    )
}

/** The store is opened, and perhaps created, once there is a session to import. */
async function importFile(
  { signal }: Context,
  { store, file, replace }: { store: string; file: string; replace: boolean },
  { tally, refusals }: { tally: Tally; refusals: Refusals },
): Promise<void> {
  const sessions = readSessions(file, { signal, onDamage: (part) => refusals.addDamage(part) })
  try {
    const first = await sessions.next()
    if (first.done && refusals.list.length > 0) throw new CannotRun('nothing was imported')
    const onConflict = refusals.addConflict.bind(refusals)
    await writing(
      store,
      (memory) => importSessions(memory, startingWith(first, sessions), { tally, replace, onConflict }),
      { create: true, patient: true },
    )
  } catch (error) {
    if (tally.brought === 0) throw error
    const kept = `${sayTally('imported', tally)}; run the same import again to continue`
    if (signal.aborted) report(`interrupted; ${kept}`, false)
    throw new CannotRun(`${messageOf(error)}; ${kept}`, { cause: error })
  } finally {
    await sessions.return(undefined)
  }
}

async function* startingWith(
  first: IteratorResult<ReadSession>,
  rest: AsyncGenerator<ReadSession>,
): AsyncGenerator<ReadSession> {
  if (!first.done) yield first.value
  yield* rest
}
