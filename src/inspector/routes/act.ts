import { z } from 'zod'
import { MemoryStoreError, misuse, SessionNotFoundError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import { Refusal } from '../refusal.ts'
import { respondJson } from '../respond.ts'
import type { ActedView, Action, DamagedDeletion } from '../wire.ts'
import type { RouteContext } from './route.ts'

const text = z.string().min(1)
const seq = z.number().int().positive()
const common = { session: text, ifVersion: text }
const schema = z.discriminatedUnion('action', [
  z.strictObject({ ...common, action: z.literal('snapshot'), label: z.string().nullable() }),
  z.strictObject({ ...common, action: z.literal('rollback'), snapshot: text }),
  z.strictObject({ ...common, action: z.literal('rewind'), to: seq, label: z.string() }),
  z.strictObject({ ...common, action: z.literal('fork'), target: text, at: text.nullable(), to: seq.nullable() }),
  z.strictObject({
    ...common,
    action: z.literal('describe'),
    owner: text.nullable(),
    title: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
  }),
  z.strictObject({
    ...common,
    action: z.literal('expire'),
    when: z.union([
      z.strictObject({ ttl: z.number().positive() }),
      z.strictObject({ at: z.number().positive() }),
      z.strictObject({ never: z.literal(true) }),
    ]),
  }),
  z.strictObject({ ...common, action: z.literal('delete') }),
  z.strictObject({ session: text, action: z.literal('deleteDamaged') }),
])

/** Describing a session takes at most 16 KiB of metadata, and nothing else takes more. */
const mostBytes = 262_144

export async function act({ memory, write }: RouteContext, request: Request): Promise<Response> {
  if (!write)
    throw new Refusal(403, 'READ_ONLY', 'this inspector only reads: start it with --write; nothing was changed')
  const wanted = await readAction(request)
  const done = await (wanted.action === 'deleteDamaged' ? eraseDamaged(memory, wanted) : perform(memory, wanted))
  return respondJson({ done } satisfies ActedView)
}

async function readAction(request: Request): Promise<Action | DamagedDeletion> {
  const checked = schema.safeParse(parse(await readBody(request)))
  if (checked.success) return checked.data
  const issue = checked.error.issues[0]
  throw misuse(`${issue?.path.join('.') || 'action'}: ${issue?.message ?? 'invalid'}; nothing was changed`)
}

async function readBody({ body }: Request): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw new Refusal(413, 'TOO_LARGE', 'the request is too large; nothing was changed')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw misuse('the request is not JSON; nothing was changed')
  }
}

async function perform(memory: MemoryStore, wanted: Action): Promise<string> {
  const { session, ifVersion } = wanted
  switch (wanted.action) {
    case 'snapshot': {
      const { id, label } = await memory.saveSnapshot(session, { label: wanted.label, ifVersion })
      return `saved as ${JSON.stringify(label ?? id)}`
    }
    case 'rollback': {
      await memory.rollbackToSnapshot(session, wanted.snapshot, { ifVersion })
      return 'rolled back; the state before it is kept as an automatic snapshot'
    }
    case 'rewind': {
      const { label } = wanted
      const { removed } = await memory.rewind(session, { to: wanted.to, snapshot: { label }, ifVersion })
      return `rewound to entry ${wanted.to}: ${removed.length} cut, and kept as ${JSON.stringify(label)}`
    }
    case 'fork': {
      const { target, at, to } = wanted
      const from = { ...(at !== null && { at }), ...(to !== null && { to }) }
      const { entries } = await memory.fork(session, target, { ...from, ifVersion })
      return `copied ${entries} entries into ${JSON.stringify(target)}`
    }
    case 'describe': {
      const { owner, title, metadata } = wanted
      await memory.describe(session, { owner, title, metadata, ifVersion })
      return 'described'
    }
    case 'expire': {
      const set = await memory.expire(session, { ...wanted.when, ifVersion })
      if (set === null) throw new SessionNotFoundError(session)
      return set.expiresAt === null ? 'it never expires' : 'the expiry is set'
    }
    case 'delete': {
      if (!(await memory.deleteSession(session, { ifVersion }))) throw new SessionNotFoundError(session)
      return 'deleted, with all its snapshots'
    }
  }
}

/** Nobody can write to a damaged session, so it stays one until it is erased. */
async function eraseDamaged(memory: MemoryStore, { session }: DamagedDeletion): Promise<string> {
  if (!(await isDamaged(memory, session))) {
    throw new Refusal(409, 'NOT_DAMAGED', 'the session is not damaged: delete it as it is shown; nothing was changed')
  }
  if (!(await memory.deleteSession(session))) throw new SessionNotFoundError(session)
  return 'deleted, with everything left of it'
}

async function isDamaged(memory: MemoryStore, session: string): Promise<boolean> {
  try {
    await memory.sessionInfo(session)
    await memory.paths(session)
    return false
  } catch (error) {
    if (MemoryStoreError.is(error) && error.code === 'MEMORY_LOST') return true
    throw error
  }
}
