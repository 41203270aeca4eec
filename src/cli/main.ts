#!/usr/bin/env node
import { CommanderError } from 'commander'
import { report } from './command/run-command.ts'
import { createProgram } from './program.ts'

/** The writer notices by its failed write; nobody else needs to know. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  await (await createProgram()).parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else process.exitCode = report(error, process.argv.includes('--debug'))
}
