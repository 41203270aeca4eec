import { act } from './act.ts'
import { listEntries, readText } from './entries.ts'
import { count, showStore, verify } from './health.ts'
import type { Route } from './route.ts'
import { listSessions, showSession, showState } from './sessions.ts'

const get = (answer: Route['answer']): Route => ({ method: 'GET', answer })

export const routes: Readonly<Record<string, Route>> = {
  'api/store': get(showStore),
  'api/sessions': get(listSessions),
  'api/session': get(showSession),
  'api/state': get(showState),
  'api/entries': get(listEntries),
  'api/text': get(readText),
  'api/stats': get(count),
  'api/verify': get(verify),
  'api/act': { method: 'POST', answer: act },
}
