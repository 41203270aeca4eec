import { type Command, InvalidArgumentError } from 'commander'
import type { SessionDetails } from '../../../core/types.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { findSession } from '../../store/find-session.ts'
import { writing } from '../../store/open-store.ts'
import { visibleJson } from '../../terminal/visible-json.ts'

/** `false` for the `--no-` form. */
interface Options extends CommonOptions {
  readonly owner?: string | false
  readonly title?: string | false
  readonly metadata?: Record<string, unknown> | false
}

export function addDescribeCommand(program: Command): void {
  addCommand(
    program,
    'describe <store> <session>',
    'set the owner, the title or the metadata of a session',
    'unforget describe agent.db user-42 --title "A refund"',
  )
    .option('--owner <owner>', 'the owner of the session')
    .option('--no-owner', 'remove the owner')
    .option('--title <text>', 'a title')
    .option('--no-title', 'remove the title')
    .option('--metadata <json>', 'a JSON object, which replaces the metadata', parseObject)
    .option('--no-metadata', 'remove the metadata')
    .action((store: string, session: string, options: Options, command: Command) => {
      const details = detailsOf(options)
      if (Object.keys(details).length === 0) command.error('error: expected --owner, --title or --metadata')
      return runCommand(options, (context) => describe(context, store, session, details))
    })
}

async function describe(
  { output, json }: Context,
  store: string,
  session: string,
  details: SessionDetails,
): Promise<ExitCode> {
  const { owner, title, metadata, version, epoch } = await writing(store, async (memory) => {
    await memory.describe(session, details)
    return findSession(memory, session)
  })
  if (json) await output.json({ session, owner, title, metadata, version, epoch })
  else {
    await output.fields([
      ['owner', owner ?? '(none)'],
      ['title', title ?? '(none)'],
      ['metadata', metadata === null ? '(none)' : visibleJson(metadata)],
    ])
  }
  return 0
}

function detailsOf({ owner, title, metadata }: Options): SessionDetails {
  return {
    ...(owner !== undefined && { owner: owner === false ? null : owner }),
    ...(title !== undefined && { title: title === false ? null : title }),
    ...(metadata !== undefined && { metadata: metadata || null }),
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {}
  throw new InvalidArgumentError('Expected a JSON object.')
}
