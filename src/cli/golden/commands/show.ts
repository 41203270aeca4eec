import type { Command } from 'commander'
import { compareDatabases } from '../../../golden/compare/compare-databases.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { renderContent } from '../golden-content.ts'
import { withCopies } from '../golden-databases.ts'
import { toRows } from '../golden-options.ts'

interface Options extends CommonOptions {
  readonly rows?: number
}

export function addShowCommand(golden: Command): void {
  addCommand(
    golden,
    'show <file>',
    'show the contents of a SQLite database: settings, declarations and rows',
    'unforget golden show test/memory_test.sqlite --rows 100',
  )
    .option('--rows <n>', 'rows to show per table (default: 20; all in JSON)', toRows)
    .action((file: string, options: Options) => runCommand(options, (context) => show(context, file, options.rows)))
}

function show({ output, json }: Context, file: string, rows?: number): Promise<ExitCode> {
  return withCopies([file], async (copy): Promise<ExitCode> => {
    const rowLimit = rows ?? (json ? Number.POSITIVE_INFINITY : 20)
    const content = compareDatabases(null, copy, { rowLimit })
    if (!json) {
      const lines = renderContent(content, 60)
      await output.line(lines.length === 0 ? 'it is empty' : lines.join('\n'))
      return 0
    }
    const { settings, schema, tables } = content
    await output.json({
      settings: Object.fromEntries(settings.map(({ name, after }) => [name, after])),
      declarations: schema.map(({ type, name, after }) => ({ type, name, sql: after })),
      tables: tables.map(({ table, key, columns, added, rows: found }) => ({
        table,
        key,
        columns,
        count: added,
        rows: found.map(({ cells }) => cells.map((cell) => ('value' in cell ? cell.value : cell.after))),
      })),
    })
    return 0
  })
}
