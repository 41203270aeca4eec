import { useEffect, useState } from 'preact/hooks'
import type { SessionInfo } from '../../src/core/types.ts'
import type { SessionsView } from '../../src/inspector/wire.ts'
import { ask, type Failure } from '../api.ts'
import { usePoll } from '../hooks/use-poll.ts'

const onPage = 50
const pause = 2000

export interface Sought {
  readonly owner: string
  readonly search: string
  /** Where the page starts. */
  readonly cursor: string | null
}

interface Found {
  readonly sessions: readonly SessionInfo[]
  readonly damaged: readonly string[]
  readonly cursor: string | null
  readonly looked: number
  readonly isSearching: boolean
  readonly failure: Failure | null
}

const nothing: Found = { sessions: [], damaged: [], cursor: null, looked: 0, isSearching: true, failure: null }

/** One page of sessions, read again every two seconds. A search goes on until the page is full or all were looked at. */
export function useSessions(sought: Sought): Found {
  const [found, setFound] = useState(nothing)
  const { owner, search, cursor } = sought
  useEffect(() => {
    const ended = new AbortController()
    setFound(nothing)
    read(sought, setFound, ended.signal).catch((failure: Failure) => {
      if (!ended.signal.aborted) setFound((before) => ({ ...before, isSearching: false, failure }))
    })
    return () => ended.abort()
  }, [owner, search, cursor])
  usePoll(async (signal) => {
    if (found.isSearching || search !== '') return
    await read(sought, (now) => signal.aborted || setFound(now), signal)
  }, pause)
  return found
}

async function read(
  { owner, search, cursor }: Sought,
  tell: (found: Found) => void,
  signal: AbortSignal,
): Promise<void> {
  let found: Found = { ...nothing, cursor }
  do {
    const query = { owner: owner || null, search: search || null, cursor: found.cursor, limit: onPage }
    const page = await ask<SessionsView>('sessions', query, signal)
    found = {
      sessions: [...found.sessions, ...page.sessions],
      damaged: [...found.damaged, ...page.damaged],
      cursor: page.cursor,
      looked: found.looked + page.looked,
      isSearching: search !== '' && page.cursor !== null && found.sessions.length + page.sessions.length < onPage,
      failure: null,
    }
    if (!signal.aborted) tell(found)
  } while (found.isSearching && !signal.aborted)
}
