import { createWriteStream } from 'node:fs'
import { realpath, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { MemoryLostError } from '../../../core/errors.ts'
import type { MemoryStore } from '../../../core/memory-store.ts'
import { addCommand } from '../../command/add-command.ts'
import {
  CannotRun,
  type CommonOptions,
  type Context,
  type ExitCode,
  report,
  runCommand,
} from '../../command/run-command.ts'
import { findSession, sessionIds } from '../../store/find-session.ts'
import { fileOf, reading } from '../../store/open-store.ts'
import { Progress } from '../../terminal/progress.ts'
import { count, countEntries } from '../../terminal/wording.ts'
import { requirePlace } from '../require-place.ts'
import { endLine, sessionLines } from '../transfer-lines.ts'
import { wholeOrNothing } from '../whole-or-nothing.ts'

interface Options extends CommonOptions {
  readonly owner?: string
  readonly output?: string
}

interface Tally {
  sessions: number
  entries: number
  damaged: MemoryLostError[]
}

export function addExportCommand(program: Command): void {
  addCommand(
    program,
    'export <store> [sessions...]',
    'write whole sessions as JSON lines: all of them, the named ones, or those of an owner',
    'unforget export agent.db --output backup.jsonl',
  )
    .option('--owner <owner>', 'every session of this owner')
    .option('-o, --output <file>', 'write to this file, all or nothing, instead of stdout')
    .action((store: string, sessions: string[], options: Options, command: Command) => {
      if (options.owner !== undefined && sessions.length > 0) {
        command.error('error: sessions and --owner cannot be combined')
      }
      return runCommand(options, async (context) => {
        if (options.output !== undefined) await requirePlace(options.output)
        await requireAnotherFile(store, options.output)
        return reading(store, (memory) => exportSessions(context, memory, sessions, options))
      })
    })
}

async function exportSessions(
  context: Context,
  memory: MemoryStore,
  wanted: readonly string[],
  { output: file, owner }: Options,
): Promise<ExitCode> {
  const { output, json } = context
  const tally: Tally = { sessions: 0, entries: 0, damaged: [] }
  const ids = wanted.length > 0 ? [...new Set(wanted)] : await sessionIds(memory, { owner })
  for (const id of wanted) await findSession(memory, id)
  const lines = exportLines(context, memory, ids, tally)
  if (file === undefined) for await (const line of lines) await output.write(line)
  else await writeWhole(file, lines)
  const { sessions, entries, damaged } = tally
  if (file !== undefined) {
    if (json) await output.json({ file, sessions, entries, damaged: damaged.map(({ session }) => session) })
    else await output.line(`exported ${count(sessions, 'session')}, ${countEntries(entries)}`)
  }
  for (const error of damaged) report(error, false)
  return damaged.length === 0 ? 0 : 1
}

/** Each session as of one moment. Damaged sessions are named and left out; sessions deleted meanwhile are missing. */
async function* exportLines(
  { output, signal }: Context,
  memory: MemoryStore,
  ids: readonly string[],
  tally: Tally,
): AsyncGenerator<string> {
  using progress = new Progress('exporting')
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted()
    if (!output.isTerminal) progress.show(index, ids.length, countEntries(tally.entries))
    const copy = await wholeOrNothing(memory, id, tally.damaged)
    if (copy === null) continue
    tally.sessions += 1
    tally.entries += copy.entries.length
    yield* sessionLines(copy)
  }
  yield endLine(tally.sessions)
}

async function requireAnotherFile(store: string, file: string | undefined): Promise<void> {
  const [from, to] = await Promise.all(
    [fileOf(store), file].map((path) => path && realpath(path).catch(() => undefined)),
  )
  if (from !== undefined && from === to) throw new CannotRun(`${file} is the store itself; nothing was written`)
}

/** Writes under a temporary name first, so that a file with this name is always complete. */
async function writeWhole(file: string, lines: AsyncIterable<string>): Promise<void> {
  const unfinished = `${file}.${process.pid}.unfinished`
  try {
    await pipeline(Readable.from(lines), createWriteStream(unfinished, { flush: true }))
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
}
