import type { Goldfish } from '../../goldfish.ts'

/** A method that ignores its signal. */
function deaf(method: 'getHistory' | 'getEntries' | 'compact' | 'verify' | 'sweep'): NonNullable<Goldfish['store']> {
  return (sound) => ({
    [method]: (session: string, options: object) => {
      const call = sound[method] as (session: string, options: object) => Promise<never>
      return call.call(sound, session, { ...options, signal: undefined })
    },
  })
}

/** What goes wrong when a caller no longer wants the answer. */
export const signals: Goldfish[] = [
  {
    name: 'a-read-that-cannot-be-stopped',
    breaks: ['signals.1'],
    story: 'The user left, but the server keeps reading a hundred thousand turns for nobody.',
    store: deaf('getEntries'),
  },
  {
    name: 'a-check-that-cannot-be-stopped',
    breaks: ['signals.1'],
    story: 'The signal is checked only at the start. The check runs for an hour.',
    store: (sound) => ({
      async verify(session, options) {
        options?.signal?.throwIfAborted()
        return sound.verify(session, { ...options, signal: undefined })
      },
    }),
  },
  {
    name: 'a-signal-that-does-not-reach-the-turn',
    breaks: ['signals.1'],
    story: 'The signal ends only the waiting. The model call inside the turn never gets it and is paid to the end.',
    store: (sound) => ({
      withTurn: (session, run, options) =>
        sound.withTurn(
          session,
          (turn) => {
            const never = new AbortController()
            if (options?.signal) setTimeout(() => never.abort(new Error('a timeout')), 200).unref()
            return run(turn, never.signal)
          },
          options,
        ),
    }),
  },
  {
    name: 'an-aborted-compaction-compacts',
    breaks: ['signals.2'],
    story: 'The call is rejected, but the compaction goes on and cuts the conversation a minute later.',
    store: (sound) => ({
      compact(session, { signal, ...options }) {
        signal?.throwIfAborted()
        const compacting = sound.compact(session, options)
        const aborted = new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
        return Promise.race([compacting, aborted])
      },
    }),
  },
  {
    name: 'who-left-keeps-a-place-in-the-queue',
    breaks: ['signals.2'],
    story: 'A request that was canceled while it waited still gets the turn, and nobody releases it.',
    store: (sound) => ({
      withTurn(session, run, options) {
        const { signal, ...rest } = options ?? {}
        const taking = sound.withTurn(session, run, rest)
        if (signal === undefined) return taking
        taking.catch(() => {})
        return Promise.race([taking, abortOf(signal)])
      },
    }),
  },
]

async function abortOf(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted()
  return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}
