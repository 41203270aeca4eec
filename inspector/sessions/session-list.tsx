import { useEffect, useState } from 'preact/hooks'
import { go, type Route } from '../route.ts'
import { Failed } from '../text/failed.tsx'
import { Line } from '../text/visible.tsx'
import { countOf } from '../text/words.ts'
import { SessionRow } from './session-row.tsx'
import { useSessions } from './use-sessions.ts'

/** How long to wait after a key before the search starts, in milliseconds. */
const typingPause = 200

export function SessionList({ route }: { route: Route }) {
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null])
  const { owner } = route
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), typingPause)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => setCursors([null]), [owner, search])
  const found = useSessions({ owner, search, cursor: cursors.at(-1) ?? null })
  const { sessions, damaged, cursor, isSearching, looked, failure } = found
  return (
    <nav class="sessions" aria-label="Sessions">
      <div class="search">
        <label for="search">Search by id or title</label>
        <input
          id="search"
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="Search by id or title"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <kbd>/</kbd>
      </div>
      {owner !== '' && (
        <p class="owner-filter">
          <span>
            Sessions of{' '}
            <strong>
              <Line text={owner} />
            </strong>
            , newest first
          </span>
          <button type="button" onClick={() => go({ ...route, owner: '' })}>
            Show all
          </button>
        </p>
      )}
      <Failed failure={failure} />
      <ul class="session-rows">
        {damaged.map((id) => (
          <SessionRow key={id} id={id} info={null} route={route} />
        ))}
        {sessions.map((info) => (
          <SessionRow key={info.id} id={info.id} info={info} route={route} />
        ))}
      </ul>
      <p class="quiet" role="status">
        {search !== '' &&
          `${isSearching ? 'Searching' : 'Looked at'} ${countOf(looked, 'session')}${isSearching ? ' …' : ''}. `}
        {!isSearching && failure === null && sessions.length + damaged.length === 0 && 'No sessions.'}
      </p>
      {(cursors.length > 1 || cursor !== null) && (
        <div class="pager">
          <button type="button" disabled={cursors.length === 1} onClick={() => setCursors((all) => all.slice(0, -1))}>
            Previous
          </button>
          <span>Page {cursors.length}</span>
          <button
            type="button"
            disabled={cursor === null || isSearching}
            onClick={() => setCursors((all) => [...all, cursor])}
          >
            Next
          </button>
        </div>
      )}
    </nav>
  )
}
