import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { visibleLine } from '../plain/visible-text.ts'

const footer = `
A store is a URL such as sqlite:agent.db, redis://127.0.0.1:6379 or
postgres://127.0.0.1/agents, or the path of a SQLite file.
Exit codes: 0 done, 1 found something wrong, 2 could not run; prove only: 3 the
conformance kit itself failed, 4 a case did not finish in time.

Example:
  $ unforget sessions agent.db`

/** The command line. Loads only the requested command, because a person waits for it; loads all if the name is unknown. */
export async function createProgram(): Promise<Command> {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const program = new Command('unforget')
    .description('Inspect and maintain agent memory.')
    .version(version)
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      outputError: (message, write) => write(`unforget: ${toSentence(message)}; see ${helpOf(process.argv[2])}\n`),
    })
    .addHelpText('after', footer)
  const asked = Object.entries(commands).filter(([name]) => name === process.argv[2])
  for (const [, load] of asked.length > 0 ? asked : Object.entries(commands)) (await load())(program)
  return program

  function helpOf(name: string | undefined): string {
    return program.commands.some((command) => command.name() === name) ? `unforget ${name} --help` : 'unforget --help'
  }
}

/** Commander's message, which may be two sentences. */
function toSentence(message: string): string {
  return visibleLine(
    message
      .trim()
      .replaceAll('\n', ' ')
      .replace(/^error: /, '')
      .replace('invalid. Exp', 'invalid: exp')
      .replace(/\.$/, ''),
  )
}

const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  sessions: async () => (await import('./looking/commands/sessions.ts')).addSessionsCommand,
  history: async () => (await import('./looking/commands/history.ts')).addHistoryCommand,
  snapshots: async () => (await import('./looking/commands/snapshots.ts')).addSnapshotsCommand,
  snapshot: async () => (await import('./changing/commands/snapshot.ts')).addSnapshotCommand,
  rollback: async () => (await import('./changing/commands/rollback.ts')).addRollbackCommand,
  fork: async () => (await import('./changing/commands/fork.ts')).addForkCommand,
  describe: async () => (await import('./changing/commands/describe.ts')).addDescribeCommand,
  expire: async () => (await import('./changing/commands/expire.ts')).addExpireCommand,
  delete: async () => (await import('./changing/commands/delete.ts')).addDeleteCommand,
  verify: async () => (await import('./looking/commands/verify.ts')).addVerifyCommand,
  sweep: async () => (await import('./changing/commands/sweep.ts')).addSweepCommand,
  stats: async () => (await import('./looking/commands/stats.ts')).addStatsCommand,
  export: async () => (await import('./transfer/commands/export.ts')).addExportCommand,
  import: async () => (await import('./transfer/commands/import.ts')).addImportCommand,
  copy: async () => (await import('./transfer/commands/copy.ts')).addCopyCommand,
  inspect: async () => (await import('./inspect/commands/inspect.ts')).addInspectCommand,
  schema: async () => (await import('./looking/commands/schema.ts')).addSchemaCommand,
  prove: async () => (await import('./prove/commands/prove.ts')).addProveCommand,
  goldfish: async () => (await import('./prove/commands/goldfish.ts')).addGoldfishCommand,
  golden: async () => (await import('./golden/commands/golden.ts')).addGoldenCommand,
}
