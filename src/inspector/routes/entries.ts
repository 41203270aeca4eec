import { misuse, SeqNotFoundError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import type { Entries, PageOptions } from '../../core/types.ts'
import { respondJson } from '../respond.ts'
import { clip, showEntry, wholeText } from '../show/show-entry.ts'
import type { EntriesView, TextView } from '../wire.ts'
import { countOf, textOf, wholeOf } from './query.ts'
import type { RouteContext } from './route.ts'

const mostOnPage = 200

/** How many characters of a text one answer holds. */
const mostCharacters = 65_536

export async function listEntries({ memory }: RouteContext, _: Request, query: URLSearchParams): Promise<Response> {
  const session = textOf(query, 'session')
  const at = query.get('at') || undefined
  const around = wholeOf(query, 'around')
  const read =
    around === undefined
      ? await memory.getEntries(session, { at, ...pageOf(query) })
      : await readAround(memory, session, { at, seq: around, count: countOf(query, 'count', mostOnPage) ?? 40 })
  return respondJson({ version: read.version, entries: read.map(showEntry) } satisfies EntriesView)
}

function pageOf(query: URLSearchParams): PageOptions {
  const first = countOf(query, 'first', mostOnPage)
  const last = countOf(query, 'last', mostOnPage)
  const [before, after] = [wholeOf(query, 'before'), wholeOf(query, 'after')]
  return {
    ...(first === undefined ? { last: last ?? 40 } : { first }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}

/** The entry with this seq in the middle of a page. */
async function readAround(
  memory: MemoryStore,
  session: string,
  { at, seq, count }: { at: string | undefined; seq: number; count: number },
): Promise<Entries> {
  const earlier = await memory.getEntries(session, { at, last: Math.max(1, count), before: seq })
  const after = earlier.at(-1)?.seq
  const from = await memory.getEntries(session, { at, first: count + 1, ...(after !== undefined && { after }) })
  if (from[0]?.seq !== seq) throw new SeqNotFoundError(session, seq, { below: after ?? null, above: null })
  return Object.assign([...(count === 0 ? [] : earlier), ...from], { version: from.version, epoch: from.epoch })
}

/** A piece of a long text, or of the whole entry as JSON. */
export async function readText({ memory }: RouteContext, _: Request, query: URLSearchParams): Promise<Response> {
  const [session, seq] = [textOf(query, 'session'), wholeOf(query, 'seq')]
  if (seq === undefined) throw misuse('seq: expected a whole number')
  const [entry] = await readAround(memory, session, { at: query.get('at') || undefined, seq, count: 0 })
  const text = entry && wholeText(entry, wholeOf(query, 'part') ?? null)
  if (text === undefined) throw misuse('part: the entry has no such part')
  const from = wholeOf(query, 'from') ?? 0
  return respondJson({ text: clip(text.slice(from), mostCharacters), from, length: text.length } satisfies TextView)
}
