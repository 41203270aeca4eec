import { useState } from 'preact/hooks'
import type { StoreView } from '../src/inspector/wire.ts'
import { ask } from './api.ts'
import { HealthPage } from './health/health-page.tsx'
import { useLoaded } from './hooks/use-loaded.ts'
import { usePoll } from './hooks/use-poll.ts'
import { useShortcuts } from './hooks/use-shortcuts.ts'
import { hashOf, useRoute } from './route.ts'
import { SessionPage } from './session/session-page.tsx'
import { SessionList } from './sessions/session-list.tsx'
import { Failed } from './text/failed.tsx'
import { Line } from './text/visible.tsx'
import { countOf } from './text/words.ts'

/** How often the page asks how the store is, in milliseconds. */
const pause = 30_000

export function App() {
  const route = useRoute()
  const { value: store, failure, reload } = useLoaded((signal) => ask<StoreView>('store', {}, signal), [])
  const [connected, setConnected] = useState(true)
  usePoll(async () => reload(), pause)
  useShortcuts()
  return (
    <div class={`app view-${route.view}`}>
      <TopBar store={store} connected={connected && failure === null} isHealth={route.view === 'health'} />
      {store === null ? (
        <main class="alone">
          {failure === null ? <p class="quiet">Loading …</p> : <Failed failure={failure} retry={reload} />}
        </main>
      ) : (
        <div class="columns">
          <SessionList route={route} />
          {route.view === 'session' ? (
            <SessionPage key={route.session} route={route} write={store.write} onConnection={setConnected} />
          ) : route.view === 'health' ? (
            <HealthPage store={store} />
          ) : (
            <main class="welcome" id="main">
              <h1>What does the agent remember?</h1>
              <p>
                Choose a session. You see its conversation, the log it was read from, and every state that you can go
                back to.
              </p>
            </main>
          )}
        </div>
      )}
    </div>
  )
}

function TopBar({ store, connected, isHealth }: { store: StoreView | null; connected: boolean; isHealth: boolean }) {
  const warnings = store?.health.warnings.length ?? 0
  return (
    <header class="top">
      <a class="brand" href={hashOf({})} aria-label="unforget: all sessions">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M4 11h10q5 0 5 5t5 5h4" />
          <circle cx="10" cy="11" r="4" />
        </svg>
        unforget
      </a>
      {store !== null && (
        <>
          <span class="store">
            <Line text={store.name} />
          </span>
          <span class="badge">{store.health.backend}</span>
          <span class={store.write ? 'badge warn' : 'badge'}>{store.write ? 'can write' : 'read-only'}</span>
        </>
      )}
      <span class={connected ? 'live' : 'live off'} role="status">
        {connected ? 'live' : 'no answer, trying again'}
      </span>
      <a class="health-link" href={hashOf({ view: 'health' })} aria-current={isHealth ? 'page' : undefined}>
        Health{warnings > 0 && <span class="badge warn">{countOf(warnings, 'warning')}</span>}
      </a>
    </header>
  )
}
