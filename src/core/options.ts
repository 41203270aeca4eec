import { z } from 'zod'
import { describePlace } from './carry-value.ts'
import { embeddingSchema, entryKinds } from './entries.ts'
import { misuse } from './errors.ts'

const text = z
  .string()
  .refine((value) => value.isWellFormed() && value.length > 0, 'expected well-formed, non-empty text')
const token = z.string().min(1).nullable()
const wholeFrom = (least: number) => z.number().int().min(least)
/** The last date in JavaScript. */
export const lastMoment = 8.64e15
/** Leaves room to add a time to live to any time. */
export const milliseconds = z
  .number()
  .positive()
  .max(lastMoment / 2)
const moment = z.number().positive().max(lastMoment)
const signal = z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'expected an AbortSignal').optional()
/** The longest delay that a timer supports. */
const longestWait = 2 ** 31 - 1
const fn = <F>() => z.custom<F>((value) => typeof value === 'function', 'expected a function')

const write = {
  operationId: text.optional(),
  ifVersion: token.optional(),
  ifEpoch: token.optional(),
}
const details = {
  owner: text.nullable().optional(),
  title: z.string().nullable().optional(),
  metadata: z.unknown().optional(),
}
const budget = {
  maxEntries: wholeFrom(1).optional(),
  maxTokens: z.number().positive().optional(),
  countTokens: fn().optional(),
  keepSystem: z.boolean().optional(),
  startOn: z.literal('user').optional(),
}
const counted = <T extends { maxTokens?: unknown; countTokens?: unknown }>(value: T) =>
  (value.maxTokens === undefined) === (value.countTokens === undefined)
const countedMessage = 'maxTokens and countTokens go together'
const page = {
  first: wholeFrom(0).optional(),
  last: wholeFrom(0).optional(),
  before: wholeFrom(1).optional(),
  after: wholeFrom(1).optional(),
}
type Page = { [name in keyof typeof page]?: unknown }
const onePage = ({ first, last, before, after }: Page) =>
  (first === undefined || last === undefined) && (before === undefined || after === undefined)
const onePageMessage = 'first and last cannot be combined, nor can before and after'
const isPage = ({ first, last, before, after }: Page) =>
  [first, last, before, after].some((value) => value !== undefined)
const naming = { id: text.optional(), label: z.string().nullable().optional() }
const reading = { at: text.optional(), atLeast: z.string().min(1).nullable().optional() }

export const schemas = {
  store: z.strictObject({
    ttl: milliseconds.optional(),
    timeout: milliseconds.max(longestWait).optional(),
    summaryMessage: fn().optional(),
  }),
  write: z.strictObject(write),
  begin: z.strictObject({ ...write, ...details }),
  describe: z
    .strictObject({ ...write, ...details })
    .refine(
      ({ owner, title, metadata }) => [owner, title, metadata].some((part) => part !== undefined),
      'expected owner, title or metadata',
    ),
  history: z
    .strictObject({ ...reading, ...budget, ...page, signal })
    .refine(counted, countedMessage)
    .refine(onePage, onePageMessage)
    .refine(
      (value) => !isPage(value) || (value.maxEntries === undefined && value.maxTokens === undefined),
      'a page and a budget cannot be combined',
    )
    .refine(
      ({ keepSystem, startOn, maxEntries, maxTokens }) =>
        (keepSystem ?? startOn) === undefined || maxEntries !== undefined || maxTokens !== undefined,
      'keepSystem and startOn need a budget',
    ),
  entries: z
    .strictObject({
      ...reading,
      ...page,
      signal,
      kinds: z.array(z.enum(entryKinds)).optional(),
    })
    .refine(onePage, onePageMessage),
  trim: z
    .strictObject({ ...write, ...budget, records: z.enum(['keep', 'cut']).optional() })
    .refine(counted, countedMessage)
    .refine(
      (value) => value.maxEntries !== undefined || value.maxTokens !== undefined,
      'expected maxEntries or maxTokens',
    ),
  compact: z
    .strictObject({
      ...write,
      keep: wholeFrom(0).optional(),
      keepTokens: z.number().positive().optional(),
      countTokens: fn().optional(),
      summarize: fn(),
      signal,
      summaryRole: z.enum(['system', 'user']).optional(),
    })
    .refine(({ keep, keepTokens }) => (keep ?? keepTokens) !== undefined, 'expected keep or keepTokens')
    .refine(
      ({ keepTokens, countTokens }) => (keepTokens === undefined) === (countTokens === undefined),
      'keepTokens and countTokens go together',
    ),
  snapshot: z.strictObject({ ...write, ...details, ...naming }),
  rewind: z
    .strictObject({
      ...write,
      ...details,
      to: wholeFrom(0).optional(),
      before: wholeFrom(1).optional(),
      add: z.unknown().optional(),
      entries: z.unknown().optional(),
      snapshot: z.union([z.boolean(), z.strictObject(naming)]).optional(),
    })
    .refine(({ to, before }) => (to === undefined) !== (before === undefined), 'expected to or before')
    .refine(({ add, entries }) => add === undefined || entries === undefined, 'expected add or entries, not both'),
  fork: z.strictObject({
    at: text.optional(),
    to: wholeFrom(1).optional(),
    operationId: text.optional(),
    ifVersion: token.optional(),
  }),
  delete: z.strictObject({ ifVersion: token.optional() }),
  recall: z.strictObject({ k: wholeFrom(1).optional(), ...reading }),
  expire: z
    .strictObject({
      ...write,
      ttl: milliseconds.optional(),
      at: z
        .union([z.date().transform(Number), z.number()], 'expected a Date or milliseconds since 1970')
        .pipe(moment)
        .optional(),
      never: z.literal(true).optional(),
    })
    .refine((value) => {
      const [first, ...others] = ['ttl', 'at', 'never'].filter((name) => Object.hasOwn(value, name))
      return others.length === 0 && first !== undefined && value[first as keyof typeof value] !== undefined
    }, 'expected exactly one of ttl, at and never'),
  progress: z.strictObject({ onProgress: fn().optional(), signal }),
  turn: z.strictObject({
    wait: wholeFrom(0).max(longestWait).optional(),
    lease: wholeFrom(1).max(longestWait).optional(),
    signal,
  }),
  import: z.strictObject({ operationId: text.optional() }),
  list: z.strictObject({
    owner: text.optional(),
    cursor: z.string().nullable().optional(),
    limit: wholeFrom(1).optional(),
  }),
  owned: z.strictObject({ owner: text }),
  text,
  embedding: embeddingSchema,
}

/** Schemas that accept an empty object, which is what most calls pass. */
const fitNothing = new Set<z.ZodType>([schemas.write, schemas.begin, schemas.history, schemas.entries])

/** A checked copy, with each property read once; throws a `TypeError` that names the argument unless it fits the schema. */
export function check<Value>(schema: z.ZodType, value: Value, name: string): Value {
  if (fitNothing.has(schema) && isEmpty(value)) return {} as Value
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data as Value
  const issue = checked.error.issues[0]
  throw misuse(`${describePlace(name, issue?.path ?? [])}: ${issue?.message ?? 'invalid'}`)
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.getPrototypeOf(value) === Object.prototype && Object.getOwnPropertyNames(value).length === 0
}

export function checkSession(session: unknown): asserts session is string {
  if (typeof session !== 'string' || session.length === 0 || !session.isWellFormed()) {
    throw misuse('session: expected well-formed, non-empty text')
  }
}
