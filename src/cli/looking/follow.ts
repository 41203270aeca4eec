import { setTimeout as pause } from 'node:timers/promises'
import type { Entry } from '../../core/entries.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import type { ReadState, SessionInfo } from '../../core/types.ts'
import type { Context } from '../command/run-command.ts'
import { visibleJson } from '../terminal/visible-json.ts'
import { countEntries } from '../terminal/wording.ts'
import { readTurns } from './read-turns.ts'
import { renderEntry } from './render-entry.ts'

/** Polling interval, in milliseconds. */
const interval = 100

interface Seen {
  readonly version: string | null
  readonly epoch: string | null
  /** The last seq that was read. Seqs are never reused, so anything beyond it is new. */
  readonly seq: number
}

/** Shows new entries, and says when the path changed or the session ended, until the signal ends it. */
export async function follow(
  context: Context,
  memory: MemoryStore,
  session: string,
  { all, from, isFirst }: { all: boolean; from: ReadState & readonly Entry[]; isFirst: boolean },
): Promise<never> {
  const tell = teller(context, isFirst)
  let seen: Seen = { ...stateOf(from), seq: highest(from, 0) }
  for (;;) {
    await pause(interval, undefined, { signal: context.signal })
    const info = await memory.sessionInfo(session)
    if ((info?.version ?? null) === seen.version) continue
    if (info === null) {
      await tell.event('deleted', 'the session was deleted or has expired')
      seen = { version: null, epoch: null, seq: 0 }
      continue
    }
    const begun = seen.epoch === null || birthOf(info.epoch) !== birthOf(seen.epoch)
    const since = begun ? 0 : seen.seq
    const isNew = ({ seq }: Entry) => seq > since
    const { turns, read } = await readTurns(memory, session, { all }, (_, slice) => !slice.every(isNew))
    if (read.version === null) continue
    if (read.epoch !== seen.epoch) await tellChange(tell, info, begun)
    for (const entry of turns.filter(isNew)) await tell.entry(entry)
    seen = { ...stateOf(read), seq: highest(read, since) }
  }
}

type Teller = ReturnType<typeof teller>

function teller({ output, json }: Context, isFirst: boolean) {
  let first = isFirst
  const separate = () => {
    const gap = first ? '' : '\n'
    first = false
    return gap
  }
  return {
    event: (event: string, words: string) =>
      json
        ? output.line(visibleJson({ event }))
        : output.write(`${separate()}${output.paint('cyan', `-- ${words} --`)}\n`),
    entry: (entry: Entry) =>
      json ? output.line(visibleJson(entry)) : output.write(`${separate()}${renderEntry(entry, output)}`),
  }
}

function tellChange(tell: Teller, info: SessionInfo, begun: boolean): Promise<void> {
  return begun
    ? tell.event('begun', 'the session was created again')
    : tell.event('changed', `the history changed: it now has ${countEntries(info.entries)}`)
}

function stateOf({ version, epoch }: ReadState): ReadState {
  return { version, epoch }
}

function highest(entries: readonly Entry[], least: number): number {
  return entries.reduce((most, { seq }) => Math.max(most, seq), least)
}

/** Distinguishes a session from an earlier one with the same id. */
function birthOf(token: string): string {
  return token.slice(0, token.indexOf('.'))
}
