import { inspect } from 'node:util'

/** What a method must return, as far as every case relies on it. */
interface Shape {
  readonly method: string
  readonly given: readonly unknown[]
  readonly expected: string
  isFine(returned: unknown): boolean
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isListOf = (value: unknown, isItem: (item: Record<string, unknown>) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => isObject(item) && isItem(item))

function shapesOf(session: string): Shape[] {
  return [
    {
      method: 'getHistory',
      given: [session],
      expected: 'a list of messages with the fields they were given, such as [{ role, content }]',
      isFine: (value) => isListOf(value, (item) => 'role' in item && 'content' in item),
    },
    {
      method: 'getEntries',
      given: [session],
      expected: 'a list of entries, such as [{ seq, at, kind, message }]',
      isFine: (value) => isListOf(value, (item) => 'kind' in item && 'seq' in item),
    },
    {
      method: 'saveSnapshot',
      given: [session],
      expected: 'an object with the id of the snapshot, { id }',
      isFine: (value) => isObject(value) && typeof value['id'] === 'string',
    },
    {
      method: 'listSnapshots',
      given: [session],
      expected: 'a list of snapshots with their ids, [{ id }]',
      isFine: (value) => isListOf(value, (item) => typeof item['id'] === 'string'),
    },
    {
      method: 'listSessions',
      given: [],
      expected: 'a page of sessions, { sessions: [{ id }], cursor }',
      isFine: (value) => isObject(value) && isListOf(value['sessions'], (item) => typeof item['id'] === 'string'),
    },
  ]
}

/**
 * Adds a message and compares what each method returns with what the kit reads, in a sentence; `null` if nothing is wrong. An empty list is
 * fine here, and so is a method that rejects: whether it may is for the cases to say.
 */
export async function problemOfShapes(
  call: (method: string, ...given: readonly unknown[]) => unknown,
  methods: object,
  session: string,
  message: object,
): Promise<string | null> {
  if (!('addMessages' in methods)) return null
  await call('addMessages', session, [message])
  for (const { method, given, expected, isFine } of shapesOf(session)) {
    if (!(method in methods)) continue
    let returned: unknown
    try {
      returned = await call(method, ...given)
    } catch {
      continue
    }
    if (!isFine(returned)) {
      return `${method} returned ${inspect(returned, { depth: 2, breakLength: Number.POSITIVE_INFINITY }).slice(0, 300)}; expected ${expected}. Adapt it in the module that describes the store`
    }
  }
  return null
}
