import { useCallback, useState } from 'preact/hooks'
import type { SessionInfo } from '../../src/core/types.ts'
import type { SessionView } from '../../src/inspector/wire.ts'
import { ask, Failure } from '../api.ts'
import { useLoaded } from '../hooks/use-loaded.ts'
import { usePoll } from '../hooks/use-poll.ts'

const pause = 1000

export interface LiveSession {
  readonly view: SessionView | null
  readonly failure: Failure | null
  /** Whether it was there and is gone: deleted or expired. */
  readonly isGone: boolean
  readonly reload: () => void
}

/** A session, read again whenever its version has changed. */
export function useSession(session: string, onConnection: (connected: boolean) => void): LiveSession {
  const [isGone, setGone] = useState(false)
  const { value, failure, reload } = useLoaded((signal) => ask<SessionView>('session', { session }, signal), [session])
  const check = useCallback(
    async (signal: AbortSignal) => {
      try {
        const { version } = await ask<SessionInfo>('state', { session }, signal)
        onConnection(true)
        setGone(false)
        if (version !== value?.paths.version) reload()
      } catch (error) {
        if (signal.aborted || !(error instanceof Failure)) return
        onConnection(error.code !== 'NO_ANSWER')
        setGone(error.code === 'SESSION_NOT_FOUND')
      }
    },
    [session, value?.paths.version],
  )
  usePoll(check, pause)
  return { view: value, failure: isGone && value !== null ? null : failure, isGone, reload }
}
