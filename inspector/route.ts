import { useEffect, useState } from 'preact/hooks'

/** What the page shows, as its address says after `#`. */
export interface Route {
  readonly view: 'sessions' | 'session' | 'health'
  readonly session: string
  /** The snapshot whose conversation is shown; `null` for now. */
  readonly at: string | null
  /** What it is compared with: a snapshot, or `''` for now; `null` for nothing. */
  readonly compare: string | null
  readonly owner: string
}

export function parseRoute(hash: string): Route {
  const query = new URLSearchParams(hash.slice(1))
  const session = query.get('session') ?? ''
  return {
    view: session !== '' ? 'session' : query.has('health') ? 'health' : 'sessions',
    session,
    at: query.get('at'),
    compare: query.get('with'),
    owner: query.get('owner') ?? '',
  }
}

export function hashOf(route: Partial<Route>): string {
  const query = new URLSearchParams()
  if (route.view === 'health') query.set('health', '')
  if (route.session) query.set('session', route.session)
  if (route.owner) query.set('owner', route.owner)
  if (route.at !== null && route.at !== undefined) query.set('at', route.at)
  if (route.compare !== null && route.compare !== undefined) query.set('with', route.compare)
  return `#${query}`
}

export function go(route: Partial<Route>): void {
  location.hash = hashOf(route)
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const change = () => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [])
  return route
}
