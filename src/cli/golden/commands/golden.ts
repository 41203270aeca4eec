import type { Command } from 'commander'
import { addAcceptCommand } from './accept.ts'
import { addCheckCommand } from './check.ts'
import { addDiffCommand } from './diff.ts'
import { addPendingCommand } from './pending.ts'
import { addPruneCommand } from './prune.ts'
import { addRejectCommand } from './reject.ts'
import { addReviewCommand } from './review.ts'
import { addShowCommand } from './show.ts'
import { addTextconvCommand } from './textconv.ts'

const footer = `
Searches for goldens in this folder and below. Every command except textconv
takes --json. Exit codes: 0 done, 1 something differs, is pending or is stale,
2 could not run.

Example:
  $ unforget golden review`

export function addGoldenCommand(program: Command): void {
  const golden = program
    .command('golden')
    .description('review, compare and inspect the golden databases of tests')
    .usage('<command>')
    .helpCommand(false)
    .addHelpText('after', footer)
  for (const add of commands) add(golden)
}

const commands = [
  addReviewCommand,
  addPendingCommand,
  addAcceptCommand,
  addRejectCommand,
  addPruneCommand,
  addCheckCommand,
  addDiffCommand,
  addShowCommand,
  addTextconvCommand,
]
