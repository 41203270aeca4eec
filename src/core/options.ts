import { z } from 'zod'
import { describePlace } from './carry-value.ts'
import { embeddingSchema } from './entries.ts'
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
const fn = <F>() => z.custom<F>((value) => typeof value === 'function', 'expected a function')

const write = {
  operationId: text.optional(),
  ifVersion: token.optional(),
  ifEpoch: token.optional(),
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
const reading = { at: text.optional(), atLeast: z.string().min(1).nullable().optional() }

export const schemas = {
  store: z.strictObject({
    ttl: milliseconds.optional(),
    timeout: milliseconds.max(2 ** 31 - 1).optional(),
    summaryMessage: fn().optional(),
  }),
  write: z.strictObject(write),
  history: z
    .strictObject({ ...reading, ...budget, ...page })
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
    .strictObject({ ...reading, ...page, kinds: z.array(z.enum(['message', 'toolCall', 'summary'])).optional() })
    .refine(onePage, onePageMessage),
  trim: z
    .strictObject({ ...write, ...budget })
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
      summaryRole: z.enum(['system', 'user']).optional(),
    })
    .refine(({ keep, keepTokens }) => (keep ?? keepTokens) !== undefined, 'expected keep or keepTokens')
    .refine(
      ({ keepTokens, countTokens }) => (keepTokens === undefined) === (countTokens === undefined),
      'keepTokens and countTokens go together',
    ),
  snapshot: z.strictObject({ ...write, id: text.optional(), label: z.string().nullable().optional() }),
  rewind: z.strictObject({ ...write, to: wholeFrom(0) }),
  fork: z.strictObject({ at: text.optional(), operationId: text.optional() }),
  recall: z.strictObject({ k: wholeFrom(1).optional(), ...reading }),
  expire: z.union([
    z.strictObject({ ...write, ttl: milliseconds }),
    z.strictObject({ ...write, at: z.union([z.date().transform(Number), z.number()]).pipe(moment) }),
    z.strictObject({ ...write, never: z.literal(true) }),
  ]),
  progress: z.strictObject({ onProgress: fn().optional() }),
  import: z.strictObject({ operationId: text.optional() }),
  list: z.strictObject({ cursor: z.string().nullable().optional(), limit: wholeFrom(1).optional() }),
  text,
  embedding: embeddingSchema,
}

/** A checked copy, with each property read once; throws a `TypeError` that names the argument unless it fits the schema. */
export function check<Value>(schema: z.ZodType, value: Value, name: string): Value {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data as Value
  const issue = checked.error.issues[0]
  throw misuse(`${describePlace(name, issue?.path ?? [])}: ${issue?.message ?? 'invalid'}`)
}

export function checkSession(session: unknown): asserts session is string {
  if (typeof session !== 'string' || session.length === 0 || !session.isWellFormed()) {
    throw misuse('session: expected well-formed, non-empty text')
  }
}
