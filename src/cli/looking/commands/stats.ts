import type { Command } from 'commander'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { fileOf, reading } from '../../store/open-store.ts'
import { count, countEntries, showBytes } from '../../terminal/wording.ts'

export function addStatsCommand(program: Command): void {
  addCommand(
    program,
    'stats <store>',
    'count what is stored, and what a sweep would free',
    'unforget stats agent.db',
  ).action((store: string, options: CommonOptions) => runCommand(options, (context) => showStats(context, store)))
}

async function showStats({ output, json }: Context, store: string): Promise<ExitCode> {
  const { stats, file } = await reading(store, async (memory) => ({
    stats: await memory.stats(),
    file: Number((await memory.health()).details['bytes']),
  }))
  const { sessions, snapshots, entries, bytes, sweepable, damaged } = stats
  if (json) await output.json({ sessions, snapshots, entries, bytes, fileBytes: file, sweepable, damaged })
  else {
    await output.fields([
      ['sessions', sessions.toLocaleString('en')],
      ['snapshots', snapshots.toLocaleString('en')],
      ['entries', `${entries.toLocaleString('en')} (${showBytes(bytes)})`],
      [fileOf(store) === undefined ? 'on the server' : 'file', showBytes(file)],
      ['a sweep would free', `${countEntries(sweepable.entries)} (${showBytes(sweepable.bytes)})`],
    ])
    if (damaged.length > 0) {
      await output.line(
        `${count(damaged.length, 'session is', 'sessions are')} damaged and not counted: see unforget verify`,
      )
    }
  }
  return damaged.length === 0 ? 0 : 1
}
