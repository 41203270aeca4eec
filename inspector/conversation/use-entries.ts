import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { EntriesView, EntryView } from '../../src/inspector/wire.ts'
import { ask, Failure } from '../api.ts'

const onPage = 40
/** How many entries the page holds; those at the other end are dropped. */
const most = 200

export interface EntryWindow {
  readonly entries: readonly EntryView[]
  readonly isStart: boolean
  readonly isEnd: boolean
}

export interface WindowedEntries extends EntryWindow {
  readonly isLoaded: boolean
  readonly failure: Failure | null
  readonly older: () => void
  readonly newer: () => void
  readonly toEnd: () => void
  readonly toStart: () => void
  readonly toSeq: (seq: number) => void
}

interface Source {
  readonly session: string
  readonly at: string | null
  /** Changes with every write to what is shown. */
  readonly version: string
  /** Changes when the path does, so that what was read may no longer be there. */
  readonly epoch: number
}

const empty: EntryWindow = { entries: [], isStart: true, isEnd: true }

/** A window on the entries of a state. It moves both ways, page by page, and grows with what others append. */
export function useEntries({ session, at, version, epoch }: Source, beforeChange: () => void): WindowedEntries {
  const [held, setHeld] = useState<EntryWindow>(empty)
  const [isLoaded, setLoaded] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const latest = useRef(held)
  latest.current = held
  const work = useRef<AbortController | null>(null)

  const load = useCallback(
    async (query: Record<string, number>, place: (read: readonly EntryView[]) => EntryWindow): Promise<void> => {
      work.current?.abort()
      const ended = new AbortController()
      work.current = ended
      try {
        const { entries } = await ask<EntriesView>('entries', { session, at, ...query }, ended.signal)
        if (ended.signal.aborted) return
        beforeChange()
        setHeld(place(entries))
        setFailure(null)
      } catch (error) {
        if (ended.signal.aborted || !(error instanceof Failure)) return
        if (error.code === 'SEQ_NOT_FOUND' && 'around' in query === false) return await toEnd()
        setFailure(error)
      } finally {
        if (work.current === ended) work.current = null
        setLoaded(true)
      }
    },
    [session, at],
  )
  const toEnd = useCallback(
    () => load({ last: onPage }, (entries) => ({ entries, isStart: entries.length < onPage, isEnd: true })),
    [load],
  )
  const older = () => {
    const { entries } = latest.current
    const [first] = entries
    if (first === undefined || work.current !== null) return
    void load({ last: onPage, before: first.seq }, (read) => {
      const all = [...read, ...entries]
      return {
        entries: all.slice(0, most),
        isStart: read.length < onPage,
        isEnd: latest.current.isEnd && all.length <= most,
      }
    })
  }
  const newer = () => {
    const { entries, isStart } = latest.current
    const last = entries.at(-1)
    if (last === undefined) return void toEnd()
    if (work.current !== null) return
    void load({ first: onPage, after: last.seq }, (read) => {
      const all = [...entries, ...read]
      return { entries: all.slice(-most), isStart: isStart && all.length <= most, isEnd: read.length < onPage }
    })
  }
  const shownEpoch = useRef(epoch)
  useEffect(() => {
    const isSame = shownEpoch.current === epoch && latest.current.entries.length > 0
    shownEpoch.current = epoch
    if (!isSame) void toEnd()
    else if (latest.current.isEnd) newer()
  }, [toEnd, version, epoch])
  useEffect(() => () => work.current?.abort(), [])
  return {
    ...held,
    isLoaded,
    failure,
    older,
    newer,
    toEnd: () => void toEnd(),
    toStart: () =>
      void load({ first: onPage }, (entries) => ({ entries, isStart: true, isEnd: entries.length < onPage })),
    toSeq: (seq) => void load({ around: seq, count: onPage }, (entries) => ({ entries, isStart: false, isEnd: false })),
  }
}
