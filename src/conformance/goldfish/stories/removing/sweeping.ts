import type { Backend } from '../../../../core/backend.ts'
import { closePath, pathsOf, RangeUnion, unreadRanges } from '../../../../core/path.ts'
import { pathTokenOf } from '../../../../core/session-state.ts'
import type { Goldfish } from '../../goldfish.ts'
import { soon, tick } from '../../helpers/reshape.ts'

/** Enough for the case to write in between. */
const looksForAWrite = 50

/** Removes from the log what neither the path nor a snapshot that still counts reads. */
async function dropUnread(below: Backend, session: string, counts: (automatic: boolean) => boolean): Promise<void> {
  const deadline = soon()
  const { state, snapshots, epochs } = await below.snapshots(session, deadline)
  if (state === null) return
  const paths = pathsOf(epochs)
  const read = new RangeUnion()
  read.add(closePath(state.path, state.end))
  for (const { epoch, end, automatic } of snapshots) {
    if (counts(automatic)) read.add(closePath(paths.get(epoch) ?? [], end))
  }
  const ranges = unreadRanges(state.end, read.ranges)
  await below.drop(session, { ifPath: pathTokenOf(state), ranges, epochs: [], limit: 1e6 }, deadline)
}

const keepBelow: NonNullable<Goldfish['backend']> = (sound, { shared }) => {
  shared.set('backend', sound)
  return {}
}

export const sweeping: Goldfish[] = [
  {
    name: 'sweep-takes-what-snapshots-read',
    breaks: ['sweeping.1', 'snapshots.2'],
    story: 'The nightly cleanup looks only at the conversation. In the morning, the snapshots are listed and empty.',
    backend: keepBelow,
    store: (sound, { shared }) => ({
      async sweep(session, options) {
        const swept = await sound.sweep(session, options)
        for (const { id } of (await sound.listSessions()).sessions) {
          await dropUnread(shared.get('backend') as Backend, id, () => false)
        }
        return swept
      },
    }),
  },
  {
    name: 'sweep-takes-what-rollbacks-left',
    breaks: ['sweeping.1'],
    story: 'Automatic snapshots are kept in the list, but not their entries.',
    backend: keepBelow,
    store: (sound, { shared }) => ({
      async sweep(session, options) {
        const swept = await sound.sweep(session, options)
        if (session !== undefined) {
          await dropUnread(shared.get('backend') as Backend, session, (automatic) => !automatic)
        }
        return swept
      },
    }),
  },
  {
    name: 'sweep-takes-what-comes-meanwhile',
    breaks: ['sweeping.1'],
    story: 'What should stay is listed first, then everything else is removed, including what was written in between.',
    races: 'sweeping.1/all-at-once-agree',
    backend: (sound) => ({
      async drop(session, drop, deadline) {
        const end = (await sound.read(session, {}, deadline)).state?.end ?? 0
        let { state } = await sound.read(session, {}, deadline)
        for (let look = 0; look < looksForAWrite && state?.end === end; look++) {
          await tick()
          state = (await sound.read(session, {}, deadline)).state
        }
        if (state === null || state.end <= end) return sound.drop(session, drop, deadline)
        const ranges = [...drop.ranges, [end + 1, state.end] as const]
        return sound.drop(session, { ...drop, ifPath: pathTokenOf(state), ranges }, deadline)
      },
    }),
  },
  {
    name: 'sweep-leaves-the-expired',
    breaks: ['sweeping.2'],
    story: 'The cleanup runs every night and reports success, but never removes expired sessions.',
    backend: (sound) => ({ reclaim: async () => ({ entries: 0, done: true }), measure: sound.measure.bind(sound) }),
  },
  {
    name: 'stats-count-characters',
    breaks: ['sweeping.2'],
    story: '`length` is used as the byte count. For non-Latin text, the bill comes as a surprise.',
    backend: (sound) => ({
      async measure(session, ranges, deadline) {
        const usage = await sound.measure(session, ranges, deadline)
        if (session === null) return usage
        const { entries } = await sound.read(session, { ranges }, deadline)
        const bytes = entries.reduce((sum, entry) => sum + entry.body.length + (entry.bytes?.length ?? 0), 0)
        return { ...usage, bytes }
      },
    }),
  },
  {
    name: 'stats-leave-a-mark',
    breaks: ['sweeping.2'],
    story: 'Counting writes the time of the count into every session, and changes all versions.',
    store: (sound) => ({
      async stats() {
        const found = await sound.stats()
        for (const { id } of (await sound.listSessions()).sessions) await sound.expire(id, { never: true })
        return found
      },
    }),
  },
  {
    name: 'stats-miss-the-automatic-snapshots',
    breaks: ['sweeping.2'],
    story: 'The count omits what rollbacks left, which takes up space like the rest.',
    store: (sound) => ({
      async stats() {
        const found = await sound.stats()
        let automatic = 0
        for (const { id } of (await sound.listSessions()).sessions) {
          automatic += (await sound.listSnapshots(id)).filter((one) => one.automatic).length
        }
        return { ...found, snapshots: found.snapshots - automatic }
      },
    }),
  },
  {
    name: 'progress-swallows-the-stop',
    breaks: ['sweeping.3'],
    story: 'To stop a long check, the listener throws. The check continues.',
    store: (sound) => ({
      verify: (session, options) => {
        if (typeof options?.onProgress !== 'function') return sound.verify(session, options)
        const { onProgress } = options
        const quiet: typeof onProgress = (progress) => {
          try {
            onProgress(progress)
          } catch {}
        }
        return sound.verify(session, { onProgress: quiet })
      },
    }),
  },
  {
    name: 'progress-is-never-told',
    breaks: ['sweeping.3'],
    story: 'An hour-long sweep looks like a hung process, and is killed.',
    store: (sound) => ({ sweep: (session) => sound.sweep(session) }),
  },
  {
    name: 'only-the-sweep-cleans-up',
    breaks: ['sweeping.4'],
    story: 'Trimming keeps every prompt short. The disk fills up anyway, because nobody runs the sweep.',
    store: (sound, { shared }) => ({
      async sweep(session, options) {
        shared.set('sweeps', true)
        try {
          return await sound.sweep(session, options)
        } finally {
          shared.delete('sweeps')
        }
      },
    }),
    backend: (sound, { shared }) => ({
      drop: async (...given) => (shared.has('sweeps') ? sound.drop(...given) : { entries: 0, done: true }),
    }),
  },
  {
    name: 'health-has-a-bad-feeling',
    breaks: ['health.1'],
    story: 'There is a warning, but it says nothing.',
    store: (sound) => ({
      async health() {
        return { ...(await sound.health()), warnings: [''] }
      },
    }),
  },
]
