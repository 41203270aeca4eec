import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { quote } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import { addCommand } from '../add-command.ts'
import { importAll } from '../import-all.ts'
import { writing } from '../open-store.ts'
import { Progress } from '../progress.ts'
import { DamagedLine, type ReadSession, readTransfer } from '../read-transfer.ts'
import { CannotRun, type CommonOptions, type Context, type ExitCode, runCommand } from '../run-command.ts'
import { count, countEntries } from '../wording.ts'

export function addImportCommand(program: Command): void {
  addCommand(
    program,
    'import <store> <file>',
    'bring exported sessions into a store, all or none; - reads stdin',
    'unforget import new.db backup.jsonl',
  ).action((store: string, file: string, options: CommonOptions) =>
    runCommand(options, (context) =>
      file === '-' ? fromStdin(context, store) : importFile(context, store, { path: file, name: file }),
    ),
  )
}

interface Source {
  readonly path: string
  /** What messages call it. */
  readonly name: string
}

/** The file is checked whole, and the store asked for every session, before anything is written. */
async function importFile(context: Context, store: string, source: Source): Promise<ExitCode> {
  const { output, json } = context
  try {
    const begins = new Map<string, number>()
    for await (const { copy, line } of readSource(context, source, 'checking')) begins.set(copy.id, line)
    const imported = await writing(
      store,
      async (memory) => {
        await requireNone(memory, begins)
        return importAll(memory, readSource(context, source, 'importing'))
      },
      { create: true, patient: true },
    )
    if (json) await output.json(imported)
    else await output.line(`imported ${count(imported.sessions, 'session')}, ${countEntries(imported.entries)}`)
    return 0
  } catch (error) {
    if (!(error instanceof DamagedLine)) throw error
    throw new CannotRun(`${source.name}: ${error.message}; nothing was imported`, { cause: error })
  }
}

async function* readSource({ signal }: Context, { path, name }: Source, what: string): AsyncGenerator<ReadSession> {
  using progress = new Progress(what)
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new CannotRun(`${name} cannot be read: ${(cause as Error).message}`, { cause })
  })
  let sessions = 0
  for await (const session of readTransfer(createReadStream(path))) {
    signal.throwIfAborted()
    yield session
    sessions += 1
    progress.show(session.read, size, count(sessions, 'session'))
  }
}

async function requireNone(memory: MemoryStore, begins: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, line] of begins) {
    if ((await memory.sessionInfo(id)) === null) continue
    throw new CannotRun(`session ${quote(id)}, of line ${line}, exists already; nothing was imported`)
  }
}

/** What comes once is kept in a file, to be read twice. */
async function fromStdin(context: Context, store: string): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), 'unforget-import-'))
  try {
    const path = join(folder, 'stdin.jsonl')
    await pipeline(process.stdin, createWriteStream(path), { signal: context.signal })
    return await importFile(context, store, { path, name: 'stdin' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
