import type { Calls } from '../calls.ts'
import type { Entry } from '../entries.ts'
import { MemoryLostError, ResultGoneError, SeqNotFoundError } from '../errors.ts'
import { type ClosedRange, splitAfter } from '../path.ts'
import { PathMoved, PathReader } from '../path-reader.ts'
import type { RewindOptions, Rewound } from '../types.ts'
import { changePath } from './change-path.ts'

/** Cuts behind a seq and returns what it cut, which stays readable for a repetition until it is swept. */
export async function rewind(calls: Calls, session: string, options: RewindOptions): Promise<Rewound> {
  const { to } = options
  let removed: Entry[] = []
  const { answer, changed, version, epoch } = await changePath<readonly ClosedRange[]>(
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
  return {
    version,
    epoch,
    removed: changed ? removed : await readAgain(calls, session, answer, options.operationId ?? ''),
  }
}

/** What the same operation cut when it was applied, unless that was swept since. */
async function readAgain(
  calls: Calls,
  session: string,
  ranges: readonly ClosedRange[],
  operationId: string,
): Promise<Entry[]> {
  if (ranges.length === 0) return []
  const reader = new PathReader(calls, session, undefined, await calls.read(session, {}))
  try {
    return await reader.entries(ranges)
  } catch (error) {
    if (!(error instanceof PathMoved || error instanceof MemoryLostError)) throw error
    throw new ResultGoneError(session, operationId)
  }
}
