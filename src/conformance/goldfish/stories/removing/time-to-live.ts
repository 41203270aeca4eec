import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { pick } from '../../helpers/reshape.ts'

/** A pair of turns is what the case of this clause writes after `expire`; other cases write one turn or many. */
const turnsAfterNever = 2

const day = 86_400_000

/** Too long, too short, or not together. */
export const timeToLive: Goldfish[] = [
  {
    name: 'milliseconds-taken-for-seconds',
    breaks: ['ttl.2', 'ttl.1'],
    story: 'EXPIRE counts in seconds. What should live for a minute lives for most of a day.',
    backend: (sound) => ({
      commit: (session, change, deadline) =>
        sound.commit(session, change.ttl === undefined ? change : { ...change, ttl: change.ttl * 1000 }, deadline),
    }),
  },
  {
    name: 'expiry-set-by-the-first-write-alone',
    breaks: ['ttl.1'],
    story: 'The time to live is set when the session begins. It expires in the middle of a long conversation.',
    backend: (sound, bowl) => ({
      commit(session, change, deadline) {
        const known = shared(bowl, 'known', () => new Set<string>())
        const isFirst = change.ttl !== undefined && change.expire === undefined && !known.has(session)
        known.add(session)
        const expire = isFirst ? { expire: { at: Date.now() + (change.ttl ?? 0) } } : {}
        return sound.commit(session, { ...change, ...expire }, deadline)
      },
    }),
  },
  {
    name: 'reading-renews',
    breaks: ['ttl.1'],
    story: 'Every read renews the time to live. A monitor that checks every minute keeps everything forever.',
    backend: (sound, bowl) => ({
      commit(session, change, deadline) {
        if (change.ttl !== undefined) bowl.shared.set('ttl', change.ttl)
        return sound.commit(session, change, deadline)
      },
      async read(session, want, deadline) {
        const ttl = bowl.shared.get('ttl') as number | undefined
        const reading = await sound.read(session, want, deadline)
        if (ttl === undefined || reading.state === null || want.operation !== undefined) return reading
        await sound.commit(session, { operation: { id: crypto.randomUUID(), digest: '' }, ttl }, deadline)
        return sound.read(session, want, deadline)
      },
    }),
  },
  {
    name: 'every-write-renews-everybody',
    breaks: ['ttl.1'],
    story: 'One key holds all sessions, so they all live as long as the busiest one.',
    backend: (sound, bowl) => ({
      async commit(session, change, deadline) {
        const known = shared(bowl, 'known', () => new Set<string>())
        const { ttl } = change
        for (const other of ttl === undefined ? [] : known) {
          const { state } = await sound.read(other, {}, deadline)
          const operation = { id: crypto.randomUUID(), digest: '' }
          if (state !== null && other !== session) await sound.commit(other, { operation, ttl: ttl ?? 1 }, deadline)
        }
        known.add(session)
        return sound.commit(session, change, deadline)
      },
    }),
  },
  {
    name: 'only-adding-renews',
    breaks: ['ttl.1'],
    story: 'Adding renews the time to live. Trimming, clearing and all the other writes were forgotten.',
    backend: (sound) => ({
      async commit(session, change, deadline) {
        const { state } = await sound.read(session, {}, deadline)
        const keeps = change.append === undefined && change.expire === undefined && state?.expiresAt
        if (!keeps || change.ttl === undefined) return sound.commit(session, change, deadline)
        return sound.commit(session, { ...change, expire: { at: state.expiresAt ?? 0 } }, deadline)
      },
    }),
  },
  {
    name: 'turns-expire-one-by-one',
    breaks: ['ttl.1'],
    story: 'Each turn has its own time to live. The conversation continues, and its beginning is gone.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const ttl = (await sound.sessionInfo(session))?.ttl
        if (!ttl) return history
        const times = new Map((await sound.getEntries(session)).map(({ seq, at }) => [seq, at]))
        return pick(history, (_, seq) => (times.get(seq) ?? 0) + ttl > Date.now())
      },
    }),
  },
  {
    name: 'expired-until-swept',
    breaks: ['ttl.2'],
    story: 'Expired sessions are still listed until the sweep job has run.',
    store: (sound, bowl) => {
      type Page = Awaited<ReturnType<typeof sound.listSessions>>
      const expired = shared(bowl, 'expired', () => new Map<string, Page['sessions'][number]>())
      return {
        async expire(session, options) {
          const info = typeof session === 'string' ? await sound.sessionInfo(session) : null
          const result = await sound.expire(session, options)
          if (info && (await sound.sessionInfo(session)) === null) expired.set(session, info)
          return result
        },
        async listSessions(options) {
          const page = await sound.listSessions(options)
          return { ...page, sessions: [...page.sessions, ...expired.values()] }
        },
        async sweep(session, options) {
          expired.clear()
          return sound.sweep(session, options)
        },
      }
    },
  },
  {
    name: 'begun-again-with-the-old-turns',
    breaks: ['ttl.2'],
    story: 'The key has expired, but the rows are still there. The next write makes them visible again.',
    store: (sound, bowl) => ({
      async getHistory(session, options) {
        const seen = shared(bowl, 'seen', () => new Map<string, Awaited<ReturnType<typeof sound.getHistory>>>())
        const history = await sound.getHistory(session, options)
        const old = seen.get(session)
        if (history.length > 0 && (await sound.sessionInfo(session))?.ttl) seen.set(session, history)
        const isBegunAgain = old && history.length > 0 && history.epoch !== old.epoch && history.length < old.length
        return isBegunAgain ? pick(old, () => true) : history
      },
    }),
  },
  {
    name: 'old-snapshots-of-a-new-session',
    breaks: ['ttl.3'],
    story: 'The snapshots live in another table that does not know about expiry.',
    store: (sound, bowl) => ({
      async expire(session, options) {
        const left = shared(bowl, 'left', () => new Map<string, Awaited<ReturnType<typeof sound.listSnapshots>>>())
        if (typeof session === 'string' && 'at' in (options ?? {}))
          left.set(session, await sound.listSnapshots(session))
        return sound.expire(session, options)
      },
      async listSnapshots(session) {
        const left = shared(bowl, 'left', () => new Map<string, Awaited<ReturnType<typeof sound.listSnapshots>>>())
        const own = await sound.listSnapshots(session)
        return own.length === 0 && (await sound.sessionInfo(session)) ? (left.get(session) ?? []) : own
      },
    }),
  },
  {
    name: 'fixed-end-slides',
    breaks: ['ttl.4'],
    story: 'A fixed expiry date is stored as a duration, and each write moves it.',
    store: (sound) => ({
      async expire(session, options) {
        const at = 'at' in (options ?? {}) ? Number((options as { at: number }).at) : Number.NaN
        if (!(at > Date.now())) return sound.expire(session, options)
        await sound.expire(session, options)
        const expiry = await sound.expire(session, { ttl: at - Date.now() })
        return expiry && { ...expiry, expiresAt: at }
      },
    }),
  },
  {
    name: 'an-end-in-the-past-is-a-day-from-now',
    breaks: ['ttl.4'],
    story:
      'An expiry in the past is treated as a mistake and set to tomorrow. What should be gone can be read for another day.',
    backend: (sound) => ({
      commit(session, change, deadline) {
        const { expire } = change
        const isRecent = typeof expire === 'object' && 'at' in expire && expire.at > day && expire.at <= Date.now()
        return sound.commit(session, isRecent ? { ...change, expire: { at: Date.now() + day } } : change, deadline)
      },
    }),
  },
  {
    name: 'never-until-the-next-write',
    breaks: ['ttl.4'],
    story: 'Never lasts until the next write. Then the time to live of the store is set again.',
    backend: (sound) => ({
      commit(session, change, deadline) {
        const { ttl } = change
        const isTheNextWrite =
          ttl !== undefined && change.append?.length === turnsAfterNever && change.expire === undefined
        return sound.commit(session, isTheNextWrite ? { ...change, expire: { ttl } } : change, deadline)
      },
    }),
  },
  {
    name: 'zero-is-forever',
    breaks: ['ttl.5'],
    story: 'A time to live of 0 means none. It was meant as "at once" and is kept forever.',
    store: (sound) => ({
      expire: (session, options) =>
        sound.expire(session, (options as { ttl?: number })?.ttl === 0 ? { never: true } : options),
    }),
  },
  {
    name: 'thirty-days-by-default',
    breaks: ['adding.2', 'ttl.3', 'ttl.5'],
    story: 'Nobody asked for a time to live. A release sets one anyway, and old friends are forgotten.',
    backend: (sound) => ({
      commit: (session, change, deadline) =>
        sound.commit(session, change.restore ? change : { ...change, ttl: change.ttl ?? 30 * day }, deadline),
    }),
  },
  {
    name: 'expired-and-kept-for-ever',
    breaks: ['ttl.7'],
    story: 'Expired sessions are hidden but stay on disk until someone remembers to sweep. Nobody does.',
    backend: (sound) => ({
      reclaim: (scope, deadline) => sound.reclaim(scope === 'outdated' ? 'erased' : scope, deadline),
    }),
  },
  {
    name: 'erased-on-opening-alone',
    breaks: ['ttl.7'],
    story: 'Expired sessions are erased at the start. The server runs for a year.',
    backend(sound) {
      let isOpened = false
      return {
        async reclaim(scope, deadline) {
          if (scope !== 'outdated') return sound.reclaim(scope, deadline)
          const isFirst = !isOpened
          isOpened = true
          return isFirst ? sound.reclaim(scope, deadline) : { entries: 0, done: true }
        },
      }
    },
  },
  {
    name: 'erased-at-the-first-doubt',
    breaks: ['ttl.7'],
    story: 'The clock was a day ahead for an hour. Everything with an expiry is gone for good.',
    backend: (sound) => ({
      reclaim: (scope, deadline) => sound.reclaim(scope === 'outdated' ? 'all' : scope, deadline),
    }),
  },
  {
    name: 'sweep-waits-for-a-day',
    breaks: ['ttl.7', 'ttl.2'],
    story: 'The sweep that should free the disk leaves what expired today.',
    backend: (sound) => ({
      reclaim: (scope, deadline) => sound.reclaim(scope === 'all' ? 'outdated' : scope, deadline),
    }),
  },
  {
    name: 'expiry-follows-the-clock-back',
    breaks: ['ttl.6'],
    story: 'The clock was five hours slow for one write. Once it was corrected, the session had ended three hours ago.',
    backend: (sound) => ({
      async commit(session, change, deadline) {
        const { state } = await sound.read(session, {}, deadline)
        const ttl = state?.ownTtl ? state.ttl : (change.ttl ?? state?.ttl)
        const isAhead = (state?.expiresAt ?? 0) > Date.now() + (ttl ?? 0)
        if (!ttl || !isAhead || change.expire || change.restore) return sound.commit(session, change, deadline)
        return sound.commit(session, { ...change, expire: { ttl } }, deadline)
      },
    }),
  },
]
