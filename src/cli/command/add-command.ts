import type { Command } from 'commander'

/** Adds a command with the common options and its example. */
export function addCommand(program: Command, usage: string, description: string, example: string): Command {
  return program
    .command(usage)
    .description(description)
    .option('--json', 'print JSON, in the shape described in docs/cli.md')
    .option('--debug', 'print the stack of an error')
    .addHelpText('after', `\nExample:\n  $ ${example}`)
}
