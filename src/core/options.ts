import { z } from 'zod'
import { describePlace } from './carry-value.ts'
import { embeddingSchema } from './entries.ts'
import { misuse } from './errors.ts'

const text = z
  .string()
  .refine((value) => value.isWellFormed() && value.length > 0, 'expected well-formed, non-empty text')
const token = z.string().min(1).nullable()
const wholeFrom = (least: number) => z.number().int().min(least)
/** Long after every date that JavaScript knows. */
const lastMoment = 8.64e15
const milliseconds = z
  .number()
  .positive()
  .max(lastMoment / 2)
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
}
const counted = <T extends { maxTokens?: unknown; countTokens?: unknown }>(value: T) =>
  (value.maxTokens === undefined) === (value.countTokens === undefined)
const countedMessage = 'maxTokens and countTokens go together'
const reading = { at: text.optional(), atLeast: z.string().min(1).nullable().optional() }

export const schemas = {
  store: z.strictObject({ ttl: milliseconds.optional(), timeout: milliseconds.max(2 ** 31 - 1).optional() }),
  write: z.strictObject(write),
  history: z
    .strictObject({ ...reading, ...budget, last: wholeFrom(0).optional() })
    .refine(counted, countedMessage)
    .refine(
      (value) => value.last === undefined || (value.maxEntries === undefined && value.maxTokens === undefined),
      'last and a budget exclude each other',
    )
    .refine(
      (value) => value.keepSystem === undefined || value.maxEntries !== undefined || value.maxTokens !== undefined,
      'keepSystem needs a budget',
    ),
  entries: z.strictObject({
    ...reading,
    last: wholeFrom(0).optional(),
    kinds: z.array(z.enum(['message', 'toolCall', 'summary'])).optional(),
  }),
  trim: z
    .strictObject({ ...write, ...budget })
    .refine(counted, countedMessage)
    .refine(
      (value) => value.maxEntries !== undefined || value.maxTokens !== undefined,
      'expected maxEntries or maxTokens',
    ),
  compact: z.strictObject({ ...write, keep: wholeFrom(0), summarise: fn() }),
  snapshot: z.strictObject({ ...write, id: text.optional(), label: z.string().nullable().optional() }),
  rewind: z.strictObject({ ...write, to: wholeFrom(0) }),
  fork: z.strictObject({ at: text.optional(), operationId: text.optional() }),
  recall: z.strictObject({ k: wholeFrom(1).optional(), ...reading }),
  expire: z.union([
    z.strictObject({ ...write, ttl: milliseconds }),
    z.strictObject({ ...write, at: z.union([z.date(), z.number().positive().max(lastMoment)]) }),
    z.strictObject({ ...write, never: z.literal(true) }),
  ]),
  progress: z.strictObject({ onProgress: fn().optional() }),
  import: z.strictObject({ operationId: text.optional() }),
  list: z.strictObject({ cursor: z.string().nullable().optional(), limit: wholeFrom(1).optional() }),
  text,
  embedding: embeddingSchema,
}

/** Throws a `TypeError` that names the argument unless it fits the schema. */
export function check(schema: z.ZodType, value: unknown, name: string): void {
  const checked = schema.safeParse(value)
  if (checked.success) return
  const issue = checked.error.issues[0]
  throw misuse(`${describePlace(name, issue?.path ?? [])}: ${issue?.message ?? 'invalid'}`)
}

export function checkSession(session: unknown): asserts session is string {
  if (typeof session !== 'string' || session.length === 0 || !session.isWellFormed()) {
    throw misuse('session: expected well-formed, non-empty text')
  }
}
