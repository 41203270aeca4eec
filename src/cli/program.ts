import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addCopyCommand } from './commands/copy.ts'
import { addExportCommand } from './commands/export.ts'
import { addGoldenCommand } from './commands/golden/golden.ts'
import { addGoldfishCommand } from './commands/goldfish.ts'
import { addHistoryCommand } from './commands/history.ts'
import { addImportCommand } from './commands/import.ts'
import { addProveCommand } from './commands/prove.ts'
import { addRollbackCommand } from './commands/rollback.ts'
import { addSchemaCommand } from './commands/schema.ts'
import { addSessionsCommand } from './commands/sessions.ts'
import { addSnapshotCommand } from './commands/snapshot.ts'
import { addSnapshotsCommand } from './commands/snapshots.ts'
import { addStatsCommand } from './commands/stats.ts'
import { addSweepCommand } from './commands/sweep.ts'
import { addVerifyCommand } from './commands/verify.ts'
import { visibleLine } from './visible-text.ts'

const footer = `
A store is a URL such as sqlite:agent.db, redis://127.0.0.1:6379 or
postgres://127.0.0.1/agents, or the path of a SQLite file.
Exit codes: 0 done, 1 found something wrong, 2 could not run, 3 (prove only) the
conformance kit itself failed.

Example:
  $ unforget sessions agent.db`

export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const program = new Command('unforget')
    .description('Looks into the memory of agents, and takes care of it.')
    .version(version)
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      outputError: (message, write) => write(`unforget: ${toSentence(message)}; see ${helpOf(process.argv[2])}\n`),
    })
    .addHelpText('after', footer)
  for (const add of commands) add(program)
  return program

  function helpOf(name: string | undefined): string {
    return program.commands.some((command) => command.name() === name) ? `unforget ${name} --help` : 'unforget --help'
  }
}

/** Commander's own words, which may be two sentences. */
function toSentence(message: string): string {
  return visibleLine(
    message
      .trim()
      .replaceAll('\n', ' ')
      .replace(/^error: /, '')
      .replace('invalid. Exp', 'invalid: exp'),
  )
}

const commands = [
  addSessionsCommand,
  addHistoryCommand,
  addSnapshotsCommand,
  addSnapshotCommand,
  addRollbackCommand,
  addVerifyCommand,
  addSweepCommand,
  addStatsCommand,
  addExportCommand,
  addImportCommand,
  addCopyCommand,
  addSchemaCommand,
  addProveCommand,
  addGoldfishCommand,
  addGoldenCommand,
]
