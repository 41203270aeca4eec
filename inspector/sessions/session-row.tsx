import type { SessionInfo } from '../../src/core/types.ts'
import { hashOf, type Route } from '../route.ts'
import { Line } from '../text/visible.tsx'
import { countEntries, showTime } from '../text/words.ts'

/** A session in the list; one whose state is lost has no `info`. */
export function SessionRow({ id, info, route }: { id: string; info: SessionInfo | null; route: Route }) {
  const isCurrent = route.session === id
  const title = info?.title || null
  return (
    <li class={isCurrent ? 'current' : ''}>
      <a href={hashOf({ session: id, owner: route.owner })} aria-current={isCurrent ? 'page' : undefined}>
        <span class="row-title">
          <Line text={title ?? id} />
        </span>
        {title !== null && (
          <span class="row-id">
            <Line text={id} />
          </span>
        )}
        {info === null ? (
          <span class="badge bad">damaged: its state is lost</span>
        ) : (
          <span class="row-facts">
            <span>{countEntries(info.entries)}</span>
            <span>{showTime(info.updatedAt)}</span>
            {info.expiresAt !== null && <span>expires {showTime(info.expiresAt)}</span>}
          </span>
        )}
      </a>
      {info?.owner && info.owner !== route.owner && (
        <a class="owner" href={hashOf({ ...route, owner: info.owner })}>
          <span class="unseen">All sessions of </span>
          <Line text={info.owner} />
        </a>
      )}
    </li>
  )
}
