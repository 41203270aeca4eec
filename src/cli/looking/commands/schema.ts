import type { Command } from 'commander'
import { quoteSchema } from '../../../backends/postgres/schema/schema-name.ts'
import { schemaScript } from '../../../backends/postgres/schema/schema-sql.ts'
import { quote } from '../../../core/errors.ts'
import { addCommand } from '../../command/add-command.ts'
import { CannotRun, type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'

interface SchemaOptions extends CommonOptions {
  readonly schema: string
  readonly partitions: string
}

const mostPartitions = 1024

export function addSchemaCommand(program: Command): void {
  addCommand(
    program,
    'schema <backend>',
    'print the SQL that creates a memory (postgres)',
    'unforget schema postgres --partitions 16 | psql -v ON_ERROR_STOP=1',
  )
    .option('--schema <name>', 'the schema that holds the tables', 'unforget')
    .option('--partitions <n>', 'split the tables by session into n partitions', '0')
    .action((backend: string, options: SchemaOptions) =>
      runCommand(options, (context) => printSchema(context, backend, options)),
    )
}

async function printSchema({ output, json }: Context, backend: string, options: SchemaOptions): Promise<ExitCode> {
  if (backend !== 'postgres') throw new CannotRun(`only postgres has a schema, not ${quote(backend)}`)
  const partitions = Number(options.partitions)
  if (!Number.isInteger(partitions) || partitions < 0 || partitions === 1 || partitions > mostPartitions) {
    throw new CannotRun(`--partitions: expected a whole number from 2 to ${mostPartitions}, or 0 for none`)
  }
  const sql = schemaScript({ schema: quoteSchema(options.schema), partitions })
  if (json) await output.json({ schema: options.schema, partitions, sql })
  else await output.write(sql)
  return 0
}
