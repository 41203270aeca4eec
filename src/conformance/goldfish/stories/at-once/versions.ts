import { VersionConflictError } from '../../../../core/errors.ts'
import type { WriteOptions } from '../../../../core/types.ts'
import type { FullStore } from '../../../case.ts'
import type { Bowl, Goldfish } from '../../goldfish.ts'
import { codeOf } from '../../helpers/code-of.ts'
import { tick } from '../../helpers/reshape.ts'

/** Enough for the other agent of the case to append in between. */
const waitsForAnAppend = 50

/** Outdated tokens that are accepted anyway. */
function aliases({ shared }: Bowl) {
  const newest = (token: string): string => {
    const next = shared.get(token)
    return typeof next === 'string' ? newest(next) : token
  }
  return {
    pass: (before: string | null | undefined, after: string | null | undefined) => {
      if (before && after && before !== after) shared.set(before, after)
    },
    newest: <T extends string | null | undefined>(token: T) => (token ? newest(token) : token) as T,
  }
}

/** A write that changes the path, after which turns that began before it are still accepted. */
function keepingTheEpoch(
  method: 'rollbackToSnapshot' | 'trim' | 'clear' | 'rewind' | 'compact',
): NonNullable<Goldfish['store']> {
  return (sound, bowl) => {
    const { pass, newest } = aliases(bowl)
    return {
      async [method](session: string, ...rest: unknown[]) {
        const before = (await sound.sessionInfo(session))?.epoch
        const call = sound[method] as (session: string, ...rest: unknown[]) => Promise<never>
        const result = await call.call(sound, session, ...rest)
        pass(before, (await sound.sessionInfo(session))?.epoch)
        return result
      },
      addMessages: (session, messages, options) =>
        sound.addMessages(session, messages, { ...options, ifEpoch: newest(options?.ifEpoch) }),
    }
  }
}

/** A write after which turns that began before it are rejected, although it takes nothing back. */
function endingTheEpoch(method: 'trim' | 'compact', ends: 'epoch' | 'null'): NonNullable<Goldfish['store']> {
  return (sound, { shared }) => ({
    async [method](session: string, ...rest: unknown[]) {
      const call = sound[method] as (session: string, ...rest: unknown[]) => Promise<never>
      const result = await call.call(sound, session, ...rest)
      shared.set(`cut ${session}`, true)
      return result
    },
    async addMessages(session, messages, options) {
      const { ifEpoch } = options ?? {}
      const isRefused = ends === 'null' ? ifEpoch === null : typeof ifEpoch === 'string'
      if (isRefused && shared.get(`cut ${session}`) && !options?.operationId)
        throw new VersionConflictError(session, 'epoch', ifEpoch ?? null, null)
      return sound.addMessages(session, messages, options)
    },
  })
}

/** The same token, as far as its counter goes. */
async function byCounter(sound: FullStore, session: string, options: WriteOptions | undefined) {
  const info = await sound.sessionInfo(session)
  const counterOf = (token: string | null | undefined) => token?.split('.')[1]
  const isSame = (a: string | null | undefined, b: string | undefined) => a && b && counterOf(a) === counterOf(b)
  return {
    ...options,
    ifVersion: isSame(options?.ifVersion, info?.version) ? info?.version : options?.ifVersion,
    ifEpoch: isSame(options?.ifEpoch, info?.epoch) ? info?.epoch : options?.ifEpoch,
  }
}

export const versions: Goldfish[] = [
  {
    name: 'stale-write-accepted',
    breaks: ['versions.1'],
    story:
      'The version is compared, then the turn is written. Two servers that read the same version interleave permanently.',
    seen: 'https://github.com/google/adk-python/issues/4751',
    races: 'versions.1/one-of-many-wins',
    store: (sound) => ({
      async addMessages(session, messages, options) {
        const { ifVersion, ...rest } = options ?? {}
        if (!ifVersion || rest.operationId) return sound.addMessages(session, messages, options)
        const isCurrent = (await sound.sessionInfo(session))?.version === ifVersion
        await tick()
        return sound.addMessages(session, messages, isCurrent ? rest : options)
      },
    }),
  },
  {
    name: 'stale-rollback-accepted',
    breaks: ['versions.1'],
    story:
      'Only appends check the version atomically. A rollback compares it first, then rolls back whatever came since.',
    races: 'versions.1/every-write-against-appends',
    store: (sound) => ({
      async rollbackToSnapshot(session, id, options) {
        const { ifVersion, ...rest } = options ?? {}
        if (!ifVersion || rest.operationId) return sound.rollbackToSnapshot(session, id, options)
        const isCurrent = (await sound.sessionInfo(session))?.version === ifVersion
        for (let wait = 0; wait < waitsForAnAppend; wait++) await tick()
        return sound.rollbackToSnapshot(session, id, isCurrent ? rest : options)
      },
    }),
  },
  {
    name: 'expiry-ignores-the-version',
    breaks: ['versions.1'],
    story: 'expire accepts ifVersion and ignores it.',
    store: (sound) => ({
      expire: (session, options) => sound.expire(session, { ...options, ifVersion: undefined }),
    }),
  },
  {
    name: 'tool-call-does-not-renew-the-version',
    breaks: ['versions.1'],
    story: 'Recording a tool call does not change the version, so a writer who has not seen it is accepted.',
    store: (sound, bowl) => {
      const { pass, newest } = aliases(bowl)
      return {
        async recordToolCall(session, toolCall, options) {
          const before = (await sound.sessionInfo(session))?.version
          const result = await sound.recordToolCall(session, toolCall, options)
          pass(before, result.version)
          return result
        },
        addMessages: (session, messages, options) =>
          sound.addMessages(session, messages, { ...options, ifVersion: newest(options?.ifVersion) }),
      }
    },
  },
  {
    name: 'conflict-writes-first',
    breaks: ['versions.1'],
    story:
      'The write is rejected because of its version, but the attempt changed the version. The next honest writer is rejected too.',
    store: (sound) => ({
      async addSummary(session, summary, options) {
        try {
          return await sound.addSummary(session, summary, options)
        } catch (error) {
          if (codeOf(error) === 'VERSION_CONFLICT') await sound.recordToolCall(session, { id: 'x', name: 'x' })
          throw error
        }
      },
    }),
  },
  {
    name: 'turn-from-before-the-rollback',
    breaks: ['versions.2'],
    story:
      'The agent was still talking when the user rolled back. Its answer lands in the conversation that was undone.',
    store: keepingTheEpoch('rollbackToSnapshot'),
  },
  {
    name: 'turn-from-before-the-rewind',
    breaks: ['versions.2'],
    story: 'Edit and regenerate: the answer to the old question arrives after the new one.',
    store: keepingTheEpoch('rewind'),
  },
  {
    name: 'late-tool-result-ignores-the-epoch',
    breaks: ['versions.2'],
    story: 'Turns are rejected after a rollback. The record of the tool that was running is accepted.',
    store: (sound) => ({
      recordToolCall: (session, toolCall, options) =>
        sound.recordToolCall(session, toolCall, { ...options, ifEpoch: undefined }),
    }),
  },
  {
    name: 'snapshot-ignores-the-epoch',
    breaks: ['versions.2'],
    story: 'A snapshot "before my change" captures a conversation that somebody else has already changed.',
    store: (sound) => ({
      saveSnapshot: (session, options) => sound.saveSnapshot(session, { ...options, ifEpoch: undefined }),
    }),
  },
  {
    name: 'epoch-is-the-version',
    breaks: ['versions.3'],
    story: 'ifEpoch is checked against any change, so two agents that append to one session reject each other.',
    races: 'versions.3/appends-never-conflict',
    store: (sound, { shared }) => ({
      async addMessages(session, messages, options) {
        const epoch = options?.ifEpoch
        if (!epoch || options.operationId) return sound.addMessages(session, messages, options)
        const { version = null } = (await sound.sessionInfo(session)) ?? {}
        const isFirst = shared.get(epoch) !== version
        shared.set(epoch, version)
        for (let wait = 0; wait < waitsForAnAppend; wait++) await tick()
        return sound.addMessages(session, messages, isFirst ? options : { ...options, ifVersion: version })
      },
    }),
  },
  {
    name: 'a-trim-discards-the-answer',
    breaks: ['versions.3'],
    story: 'A background job trims while the model thinks. The answer is rejected, though it was paid for.',
    store: endingTheEpoch('trim', 'epoch'),
  },
  {
    name: 'a-compaction-discards-the-answer',
    breaks: ['versions.3'],
    story: 'A background job compacts while the model thinks. The answer is rejected, though it was paid for.',
    store: endingTheEpoch('compact', 'epoch'),
  },
  {
    name: 'null-means-the-first-path',
    breaks: ['versions.7'],
    story: 'ifEpoch: null holds until the path changes for the first time, so a trim counts as taking back.',
    store: endingTheEpoch('trim', 'null'),
  },
  {
    name: 'null-epoch-means-whatever',
    breaks: ['versions.7'],
    story: 'ifEpoch: null is taken for "no condition". The first answer lands in a conversation that was cleared.',
    store: (sound) => ({
      addMessages: (session, messages, options) =>
        sound.addMessages(session, messages, { ...options, ifEpoch: options?.ifEpoch ?? undefined }),
    }),
  },
  {
    name: 'first-turns-conflict',
    breaks: ['versions.3'],
    story:
      'Two messages open a conversation at once. The second one conflicts with the session that the first one created.',
    store: (sound) => ({
      addMessages: (session, messages, options) =>
        sound.addMessages(session, messages, options?.ifEpoch === null ? { ...options, ifVersion: null } : options),
    }),
  },
  {
    name: 'version-is-a-counter',
    breaks: ['versions.4'],
    story:
      'Versions count from 1. A session that is deleted and created again soon has the number that an old client holds.',
    store: (sound) => ({
      addMessages: async (session, messages, options) =>
        options?.operationId
          ? sound.addMessages(session, messages, options)
          : sound.addMessages(session, messages, await byCounter(sound, session, options)),
    }),
  },
  {
    name: 'null-means-whatever',
    breaks: ['versions.5'],
    story: 'ifVersion: null is taken for "no condition", so "only if there is none" appends to an existing session.',
    store: (sound) => ({
      addMessages: (session, messages, options) =>
        sound.addMessages(session, messages, { ...options, ifVersion: options?.ifVersion ?? undefined }),
    }),
  },
  {
    name: 'cleared-means-none',
    breaks: ['versions.5'],
    story: 'A session without messages is treated as missing, so "start fresh" goes into one that was cleared.',
    store: (sound) => ({
      async addMessages(session, messages, options) {
        const isEmpty = options?.ifVersion === null && (await sound.sessionInfo(session))?.entries === 0
        return sound.addMessages(session, messages, isEmpty ? { ...options, ifVersion: undefined } : options)
      },
    }),
  },
  {
    name: 'at-least-something',
    breaks: ['versions.6'],
    story: 'Any existing session satisfies atLeast. After an eviction, the bot greets an old friend as a stranger.',
    store: (sound) => ({
      async getHistory(session, options) {
        const exists = (await sound.sessionInfo(session)) !== null
        return sound.getHistory(session, exists ? { ...options, atLeast: undefined } : options)
      },
    }),
  },
  {
    name: 'at-least-as-many',
    breaks: ['versions.6'],
    story:
      'atLeast compares counters. As soon as the new session has as many commits as the lost one, nothing is missed.',
    store: (sound) => ({
      async getEntries(session, options) {
        const counter = Number((await sound.sessionInfo(session))?.version.split('.')[1])
        const wanted = Number(options?.atLeast?.split('.')[1])
        return sound.getEntries(session, counter > wanted ? { ...options, atLeast: undefined } : options)
      },
    }),
  },
  {
    name: 'at-least-is-not-for-recall',
    breaks: ['versions.6'],
    story: 'Reads report the loss, but recall just finds nothing in a session that is gone.',
    store: (sound) => ({
      recall: (session, embedding, options) => sound.recall(session, embedding, { ...options, atLeast: undefined }),
    }),
  },
  {
    name: 'a-trim-of-nothing-is-a-write',
    breaks: ['versions.9'],
    story:
      'A trim runs every minute and finds nothing. Whoever was about to write at the version they read starts over.',
    store: (sound) => ({
      async trim(session, options) {
        const trimmed = await sound.trim(session, options)
        if (trimmed.removed === 0) await sound.expire(session, { never: true })
        return trimmed
      },
    }),
  },
]
