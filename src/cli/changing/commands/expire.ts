import { type Command, InvalidArgumentError } from 'commander'
import { SessionNotFoundError } from '../../../core/errors.ts'
import type { MemoryStore } from '../../../core/memory-store.ts'
import type { ExpireOptions } from '../../../core/types.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { findSession } from '../../store/find-session.ts'
import { writing } from '../../store/open-store.ts'
import { renderFields } from '../../terminal/table.ts'
import { countEntries, showTime } from '../../terminal/wording.ts'
import { confirm } from '../confirm.ts'

interface Options extends CommonOptions {
  readonly ttl?: number
  readonly at?: number
  readonly never?: boolean
  readonly yes?: boolean
}

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export function addExpireCommand(program: Command): void {
  addCommand(
    program,
    'expire <store> <session>',
    'set when a session expires',
    'unforget expire agent.db user-42 --ttl 30d',
  )
    .option('--ttl <time>', 'expire this long after the last write, such as 45m, 12h or 30d', parseDuration)
    .option('--at <time>', 'expire at this time, such as 2030-01-01 or 2030-01-01T12:00Z', parseMoment)
    .option('--never', 'never expire, even if the store has a ttl')
    .option('--yes', 'do not ask first if that time has passed')
    .action((store: string, session: string, options: Options, command: Command) => {
      const expiry = expiryOf(options) ?? command.error('error: expected exactly one of --ttl, --at and --never')
      return runCommand(options, (context) =>
        writing(store, (memory) => expire(context, memory, session, expiry, options.yes ?? false)),
      )
    })
}

async function expire(
  context: Context,
  memory: MemoryStore,
  session: string,
  expiry: ExpireOptions,
  yes: boolean,
): Promise<ExitCode> {
  const { output, json } = context
  const { version, entries } = await findSession(memory, session)
  if ('at' in expiry && Number(expiry.at) <= Date.now()) {
    const preview = renderFields(
      [
        ['session', `${session}, ${countEntries(entries)}`],
        ['expires', `${showTime(Number(expiry.at))}, which has passed`],
      ],
      output.width,
      (text) => output.paint('bold', text),
    )
    await confirm(context, { question: 'Expire it immediately?', purpose: 'expire it immediately', preview }, yes)
  }
  const set = await memory.expire(session, { ...expiry, ifVersion: version })
  if (set === null) throw new SessionNotFoundError(session)
  const { expiresAt } = set
  if (json) await output.json({ session, ...set })
  else await output.line(expiresAt === null ? 'never expires' : `expires ${showTime(expiresAt)}`)
  return 0
}

function expiryOf({ ttl, at, never }: Options): ExpireOptions | null {
  const given = [ttl, at, never].filter((one) => one !== undefined)
  if (given.length !== 1) return null
  if (ttl !== undefined) return { ttl }
  return at === undefined ? { never: true } : { at }
}

function parseDuration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? []
  const milliseconds = Number(number) * units[(unit ?? 's') as keyof typeof units]
  if (milliseconds > 0) return milliseconds
  throw new InvalidArgumentError('Expected a number with s, m, h or d, such as 30d.')
}

function parseMoment(text: string): number {
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const milliseconds = Date.parse(text)
  const isOnCalendar = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  if (isOnCalendar && milliseconds > 0) return milliseconds
  throw new InvalidArgumentError('Expected a date such as 2030-01-01 or 2030-01-01T12:00Z.')
}
