import type { Command } from 'commander'

/** Adds a command with the options that every command has, and its example. */
export function addCommand(program: Command, usage: string, description: string, example: string): Command {
  return program
    .command(usage)
    .description(description)
    .option('--json', 'print JSON, in the shape that docs/cli.md describes')
    .option('--debug', 'print the stack of an error')
    .addHelpText('after', `\nExample:\n  $ ${example}`)
}
