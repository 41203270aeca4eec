import { useMemo, useState } from 'preact/hooks'
import { ActionDialog, type Wanted } from '../actions/action-dialog.tsx'
import { Conversation } from '../conversation/conversation.tsx'
import { Difference } from '../difference/difference.tsx'
import { Drawing } from '../drawing/drawing.tsx'
import { findStation, stationsOf } from '../drawing/stations.ts'
import { go, type Route } from '../route.ts'
import { Failed } from '../text/failed.tsx'
import { Line } from '../text/visible.tsx'
import { DamagedSession } from './damaged-session.tsx'
import { SessionHeader } from './session-header.tsx'
import { useSession } from './use-session.ts'
import { ViewBar } from './view-bar.tsx'

interface Props {
  readonly route: Route
  readonly write: boolean
  readonly onConnection: (connected: boolean) => void
}

export function SessionPage({ route, write, onConnection }: Props) {
  const { session, at, compare } = route
  const { view, failure, isGone, reload } = useSession(session, onConnection)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [done, setDone] = useState('')
  const stations = useMemo(() => (view === null ? [] : stationsOf(view.paths)), [view])
  if (view === null) {
    return (
      <main class="session" id="main">
        <h1>
          <Line text={session} />
        </h1>
        {done !== '' ? (
          <p class="done" role="status">
            {done}
          </p>
        ) : failure === null ? (
          <p class="quiet">Loading …</p>
        ) : (
          <Failed failure={failure} retry={reload} />
        )}
        {done === '' && failure?.code === 'MEMORY_LOST' && (
          <DamagedSession
            session={session}
            write={write}
            onDone={() => setDone('Deleted, with everything left of it.')}
          />
        )}
      </main>
    )
  }
  const shown = findStation(stations, at)
  const other = compare === null ? undefined : findStation(stations, compare)
  const visit = (id: string | null, isSecond: boolean) => {
    if (isSecond && id !== at) go({ ...route, compare: id ?? '' })
    else go({ ...route, at: id, compare: null })
  }
  const finish = (sentence: string, kind: Wanted['kind']) => {
    setWanted(null)
    setDone(sentence)
    if (kind === 'rollback' || kind === 'rewind') go({ ...route, at: null, compare: null })
    reload()
  }
  const want = write && !isGone ? setWanted : null
  return (
    <main class="session" id="main">
      <SessionHeader info={view.info} paths={view.paths} isGone={isGone} want={want} />
      <Failed failure={failure} retry={reload} />
      {isGone && (
        <p class="gone" role="alert">
          This session was deleted or has expired. What you see is what it was.
        </p>
      )}
      <p class="done" role="status">
        {done}
      </p>
      <Drawing paths={view.paths} stations={stations} shown={at} compared={compare} visit={visit} />
      <ViewBar stations={stations} shown={shown} other={other} visit={visit} want={want} />
      {shown === undefined ? (
        <p class="quiet">There is no such snapshot anymore.</p>
      ) : other !== undefined ? (
        <Difference key={`${at} ${compare}`} session={session} left={shown} right={other} />
      ) : (
        <Conversation key={at ?? ''} session={session} station={shown} paths={view.paths} want={want} />
      )}
      {wanted !== null && (
        <ActionDialog
          wanted={wanted}
          view={view}
          stations={stations}
          onDone={(sentence) => finish(sentence, wanted.kind)}
          onClose={() => setWanted(null)}
          onStale={reload}
        />
      )}
    </main>
  )
}
