import type { Calls } from '../calls.ts'
import type { Entry } from '../entries.ts'
import { ResultGoneError, SeqNotFoundError } from '../errors.ts'
import { areThose, type ClosedRange, splitAfter } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { reaches } from '../session-state.ts'
import type { RewindOptions, Rewound } from '../types.ts'
import { changePath } from './change-path.ts'

/** Cuts behind a seq and returns what it cut, which stays readable for a repetition until it is swept. */
export async function rewind(calls: Calls, session: string, options: RewindOptions): Promise<Rewound> {
  const { to } = options
  let removed: Entry[] = []
  const { answer, version, epoch } = await changePath<readonly ClosedRange[]>(
    calls,
    session,
    'rewind',
    { options, content: [to] },
    async (reading) => {
      const reader = new PathReader(calls, session, undefined, reading)
      const split = to === 0 ? [[], reader.ranges] : splitAfter(reader.ranges, to)
      if (split === undefined) throw new SeqNotFoundError(session, to)
      const [kept = [], cut = []] = split
      removed = await reader.entries(cut)
      return { change: cut.length === 0 ? null : { path: [...kept, ['next', null]] }, answer: cut }
    },
  )
  if (!areThose(answer, removed)) removed = await readAgain(calls, session, answer, version, options.operationId ?? '')
  return { version, epoch, removed }
}

/** What the same operation cut when it was applied, unless that was swept or its session is gone since. */
async function readAgain(
  calls: Calls,
  session: string,
  ranges: readonly ClosedRange[],
  version: string | null,
  operationId: string,
): Promise<Entry[]> {
  const reading = await calls.read(session, { ranges })
  const isThere = version !== null && reaches(reading.state, version) && areThose(ranges, reading.entries)
  if (!isThere) throw new ResultGoneError(session, operationId)
  return new PathReader(calls, session, undefined, reading).decode(reading.entries)
}
