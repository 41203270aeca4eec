import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { GoldenError } from '../../../golden/errors.ts'
import { visibleLine } from '../../../plain/visible-text.ts'
import { CannotRun, type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { readContent, withCopies } from '../golden-databases.ts'

const help = `
Two lines make git diff readable:
  $ echo '*.sqlite diff=sqlite' >> .gitattributes
  $ git config diff.sqlite.textconv 'npx unforget golden textconv'

Example:
  $ unforget golden textconv test/memory_test.sqlite`

export function addTextconvCommand(golden: Command): void {
  golden
    .command('textconv <file>')
    .description('print a whole SQLite database as text, for git to compare')
    .option('--debug', 'print the stack of an error')
    .addHelpText('after', help)
    .action((file: string, options: CommonOptions) => runCommand(options, (context) => convert(context, file)))
}

/** A file in some old commit that is not a database must not end a whole `git log -p`, so the error becomes its text. */
async function convert({ output }: Context, file: string): Promise<ExitCode> {
  if (!existsSync(file)) throw new CannotRun(`there is no file ${file}`)
  if (statSync(file).isFile() && statSync(file).size === 0) return 0
  try {
    const lines = await withCopies([file], (copy) => readContent(copy, Number.POSITIVE_INFINITY))
    await output.write(lines.map((line) => `${line}\n`).join(''))
  } catch (error) {
    if (!(error instanceof GoldenError)) throw error
    await output.line(`(${visibleLine(error.message.replaceAll(file, basename(file)))})`)
  }
  return 0
}
