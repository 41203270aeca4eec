import type { SessionCopy } from '../../../../core/backend.ts'
import type { EntryInput, ToolCallRecord } from '../../../../core/entries.ts'
import type { ReadOptions } from '../../../../core/types.ts'
import type { FullStore, StoreMethod } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { codeOf } from '../../helpers/code-of.ts'
import { isSame } from '../../helpers/is-same.ts'
import { pick } from '../../helpers/reshape.ts'
import { sessionWrites } from '../../helpers/session-writes.ts'

type Body = Record<string, unknown>

/** Every entry is written as something else, whichever method writes it. */
function writtenAs(change: (body: Body, kind: EntryInput['kind']) => Body): NonNullable<Goldfish['store']> {
  const changed = (entry: EntryInput): EntryInput => {
    const body = (entry as unknown as Record<string, Body>)[entry?.kind]
    return body === undefined ? entry : ({ ...entry, [entry.kind]: change(body, entry.kind) } as unknown as EntryInput)
  }
  const listed = <T>(given: T, each: (one: never) => unknown): T =>
    Array.isArray(given) ? (given.map(each as never) as T) : given
  return (sound) => ({
    addMessages: (session, messages, options) =>
      sound.addMessages(
        session,
        listed(messages, (one: Body) => (isBody(one) ? change(one, 'message') : one)),
        options,
      ),
    recordToolCall: (session, record, options) =>
      sound.recordToolCall(session, change(record, 'toolCall') as unknown as ToolCallRecord, options),
    addSummary: (session, summary, options) =>
      sound.addSummary(session, change(summary, 'summary') as unknown as typeof summary, options),
    addEntries: (session, entries, options) => sound.addEntries(session, listed(entries, changed), options),
    withTurn: (session, run, options) =>
      sound.withTurn(
        session,
        (turn, signal) =>
          run(
            new Proxy(turn, {
              get: (target, name) => {
                if (name === 'addEntries') return (entries: EntryInput[]) => turn.addEntries(listed(entries, changed))
                const value: unknown = Reflect.get(target, name)
                return typeof value === 'function' ? value.bind(target) : value
              },
            }),
            signal,
          ),
        options,
      ),
  })
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
}

/** Only plain objects that are more than a few values, so that small things come back as they were. */
function deeply(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => deeply(one, change))
  if (!isBody(value) || Object.getPrototypeOf(value) !== Object.prototype) return change(value)
  return Object.fromEntries(Object.entries(change(value) as Body).map(([key, one]) => [key, deeply(one, change)]))
}

function sortKeys(value: unknown): unknown {
  if (!isBody(value) || Object.hasOwn(value, '__proto__')) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function roundToFloat(value: unknown): unknown {
  return typeof value === 'number' && Number.isFinite(Math.fround(value)) ? Math.fround(value) : value
}

/** Options that cannot be understood are left out instead of being rejected. */
function lenient(sound: FullStore, name: StoreMethod): unknown {
  const method = sound[name] as (...given: unknown[]) => Promise<unknown>
  return async (...given: unknown[]) => {
    try {
      return await method.apply(sound, given)
    } catch (error) {
      const options = given.at(-1)
      if (codeOf(error) !== 'INVALID_ARGUMENT' || !isBody(options)) throw error
      for (const option of Object.keys(options)) {
        const { [option]: _, ...rest } = options
        const known = await method.apply(sound, [...given.slice(0, -1), rest]).then(
          (value) => ({ value }),
          () => null,
        )
        if (known !== null) return known.value
      }
      throw error
    }
  }
}

/** Without the fields that no copy has, in any of its parts; `null` if there are none. */
function repair(copy: SessionCopy): SessionCopy | null {
  const text = JSON.stringify(copy, (key, value: unknown) => (key === 'extra' ? undefined : value))
  if (text === undefined || text === JSON.stringify(copy)) return null
  const clean = structuredClone(copy) as unknown as Record<string, unknown>
  for (const part of [clean, ...Object.values(clean)].flatMap((one) => (Array.isArray(one) ? one : [one]))) {
    if (isBody(part)) Reflect.deleteProperty(part, 'extra')
  }
  return clean as unknown as SessionCopy
}

const takeOptions: readonly StoreMethod[] = [
  ...sessionWrites,
  'getHistory',
  'getEntries',
  'recall',
  'deleteSessions',
  'listSessions',
  'verify',
  'sweep',
  'withTurn',
]

/** Drops `at` when the session has only grown since: it looks like the same state. */
async function withoutAt<Options extends ReadOptions>(
  sound: FullStore,
  session: string,
  options: Options,
): Promise<Options> {
  const { at, ...rest } = options
  if (at === undefined) return options
  const [then, now] = [await sound.getEntries(session, { at }), await sound.getEntries(session)]
  const hasGrown = now.length > then.length && isSame(now.slice(0, then.length), [...then])
  return hasGrown ? (rest as Options) : options
}

/** What breaks a rule that holds for every field, every option or every size, at one place. */
export const rules: Goldfish[] = [
  {
    name: 'metadata-numbers-in-32-bits',
    breaks: ['values.10', 'values.2'],
    story: 'The column of the metadata holds 32-bit floats. A price of 0.1 comes back as 0.10000000149011612.',
    store: writtenAs((body) =>
      'metadata' in body ? { ...body, metadata: deeply(body['metadata'], roundToFloat) } : body,
    ),
  },
  {
    name: 'error-of-a-tool-call-dropped',
    breaks: ['values.10', 'values.2'],
    story:
      'The table of tool calls has columns for everything but the error. A failed call looks like one without a result.',
    store: writtenAs(({ error, ...body }, kind) =>
      kind === 'toolCall' || error === undefined ? body : { ...body, error },
    ),
  },
  {
    name: 'argument-keys-sorted',
    breaks: ['values.10'],
    story: 'Arguments go through a canonical JSON for a cache key, and the sorted text is what is stored.',
    store: writtenAs((body, kind) =>
      kind === 'toolCall' && 'arguments' in body ? { ...body, arguments: deeply(body['arguments'], sortKeys) } : body,
    ),
  },
  {
    name: 'snapshot-read-shows-later-turns',
    breaks: ['history.4'],
    story: 'A read at a snapshot follows the current path as long as it is the same one, and shows turns added since.',
    store: (sound) => ({
      getHistory: async (session, options = {}) => sound.getHistory(session, await withoutAt(sound, session, options)),
      getEntries: async (session, options = {}) => sound.getEntries(session, await withoutAt(sound, session, options)),
      recall: async (session, query, options = {}) =>
        sound.recall(session, query, await withoutAt(sound, session, options)),
    }),
  },
  {
    name: 'list-stops-after-four-pages',
    breaks: ['isolation.4', 'owners.4'],
    story: 'Somebody was afraid of endless loops. The fifth page of sessions is always the last.',
    store: (sound) => ({
      async listSessions(options = {}) {
        const [, number = '0', inner = ''] = /^(\d)\/(.*)$/s.exec(options.cursor ?? '') ?? []
        const page = await sound.listSessions({ ...options, ...(inner === '' ? {} : { cursor: inner }) })
        const next = Number(number) + 1
        return { ...page, cursor: page.cursor === null || next > 4 ? null : `${next}/${page.cursor}` }
      },
    }),
  },
  {
    name: 'misspelled-options-ignored',
    breaks: ['history.7'],
    story: 'Unknown options are ignored. A misspelled ifVersion overwrites what another worker wrote.',
    store: (sound) => Object.fromEntries(takeOptions.map((name) => [name, lenient(sound, name)])) as Partial<FullStore>,
  },
  {
    name: 'page-of-256-at-most',
    breaks: ['history.8', 'history.2'],
    story: 'A page has at most 256 items, whatever was requested. A client that pages by 500 skips almost half.',
    store: (sound) => {
      const clip = <Options extends { first?: number | undefined; last?: number | undefined }>(options: Options) => ({
        ...options,
        ...(options.first !== undefined && options.first > 256 && { first: 256 }),
      })
      return {
        async getHistory(session, options = {}) {
          const history = await sound.getHistory(session, clip(options))
          return (options.last ?? 0) > 256 ? pick(history, (_, __, index) => index >= history.length - 256) : history
        },
        getEntries: (session, options = {}) => sound.getEntries(session, clip(options)),
      }
    },
  },
  {
    name: 'entries-cut-at-a-thousand',
    breaks: ['adding.10'],
    story:
      'A batch of entries is sent in one statement, and the driver takes a thousand rows. The rest is dropped without an error.',
    store: (sound) => ({
      addEntries: (session, entries, options) =>
        sound.addEntries(session, Array.isArray(entries) ? entries.slice(0, 1000) : entries, options),
    }),
  },
  {
    name: 'fork-of-the-first-thousand',
    breaks: ['forking.1'],
    story: 'A fork copies one page of a thousand entries and is done.',
    store: (sound) => ({
      async fork(session, target, options) {
        const forked = await sound.fork(session, target, options)
        if (forked.entries <= 1000) return forked
        const { version, epoch } = await sound.rewind(target, { to: 1000 })
        return { version, epoch, entries: 1000 }
      },
    }),
  },
  {
    name: 'import-of-the-first-thousand',
    breaks: ['transfer.2'],
    story: 'An import writes one batch of a thousand entries and is done.',
    store: (sound) => ({
      async importSession(copy, options) {
        const imported = await sound.importSession(copy, options)
        if (imported.entries > 1000) await sound.rewind(copy.id, { to: 1000 })
        return imported
      },
    }),
  },
  {
    name: 'recall-of-a-hundred-at-most',
    breaks: ['recall.1'],
    story: 'The index returns at most a hundred neighbors, and nobody says so.',
    store: (sound) => ({
      recall: (session, query, options = {}) =>
        sound.recall(session, query, options.k === undefined ? options : { ...options, k: Math.min(options.k, 100) }),
    }),
  },
  {
    name: 'a-hundred-snapshots-listed',
    breaks: ['snapshots.2'],
    story: 'The list of snapshots has a limit of a hundred that was meant for the screen.',
    store: (sound) => ({ listSnapshots: async (session) => (await sound.listSnapshots(session)).slice(-100) }),
  },
  {
    name: 'copy-taken-at-its-word',
    breaks: ['transfer.4'],
    story: 'Unknown fields of a copy are dropped and wrong ones are repaired. Nobody learns that it was damaged.',
    store: (sound) => ({
      async importSession(copy, options) {
        try {
          return await sound.importSession(copy, options)
        } catch (error) {
          const repaired = repair(copy)
          if (codeOf(error) !== 'INVALID_ENTRY' || repaired === null) throw error
          return sound.importSession(repaired, options)
        }
      },
    }),
  },
  {
    name: 'lost-operation-is-unknown',
    breaks: ['loss.1'],
    story:
      'The stored answer to a retry cannot be read, so the store says there is none. The model is asked and paid again.',
    store: (sound) => ({
      operation: (session, id) =>
        sound.operation(session, id).catch((error: unknown) => {
          if (codeOf(error) !== 'MEMORY_LOST') throw error
          return null
        }),
    }),
  },
  {
    name: 'verify-stops-after-one-step',
    breaks: ['loss.4'],
    story: 'verify asks the backend only once. The rest of the damage is in the next step.',
    between: (backend) => ({ damage: async (deadline) => ({ ...(await backend.damage(deadline)), done: true }) }),
  },
]
