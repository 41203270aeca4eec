import type { SessionInfo, SessionPaths } from '../../src/core/types.ts'
import type { Wanted } from '../actions/action-dialog.tsx'
import { VerifyButton } from '../health/verify-button.tsx'
import { hashOf } from '../route.ts'
import { Line } from '../text/visible.tsx'
import { countEntries, showDuration, showTime } from '../text/words.ts'

interface Props {
  readonly info: SessionInfo
  readonly paths: SessionPaths
  readonly isGone: boolean
  readonly want: ((wanted: Wanted) => void) | null
}

const actions: readonly (readonly [kind: Wanted['kind'], text: string])[] = [
  ['snapshot', 'Save snapshot'],
  ['fork', 'Fork'],
  ['describe', 'Describe'],
  ['expire', 'Expire'],
  ['delete', 'Delete'],
]

export function SessionHeader({ info, paths, isGone, want }: Props) {
  const { id, title, owner, entries, createdAt, updatedAt, ttl, expiresAt, metadata } = info
  return (
    <header class={isGone ? 'session-header is-gone' : 'session-header'}>
      <a class="back" href={hashOf({ owner: '' })}>
        All sessions
      </a>
      <div class="name">
        <h1>
          <Line text={title || id} />
        </h1>
        {title && (
          <p class="row-id">
            <Line text={id} />
          </p>
        )}
      </div>
      <dl class="facts">
        {owner !== null && (
          <Fact name="owner">
            <a href={hashOf({ session: id, owner })}>
              <Line text={owner} />
            </a>
          </Fact>
        )}
        <Fact name="reads">{countEntries(entries)}</Fact>
        <Fact name="log">{countEntries(paths.end)}</Fact>
        <Fact name="began">{showTime(createdAt)}</Fact>
        <Fact name="last written">{showTime(updatedAt)}</Fact>
        <Fact name="expires">
          {expiresAt === null ? 'never' : showTime(expiresAt)}
          {ttl !== null && ` (${showDuration(ttl)} after a write)`}
        </Fact>
        {metadata !== null && (
          <Fact name="metadata">
            <Line text={JSON.stringify(metadata)} />
          </Fact>
        )}
      </dl>
      <div class="actions">
        <VerifyButton session={id} text="Verify" />
        {want !== null &&
          actions.map(([kind, text]) => (
            <button key={kind} type="button" class={kind === 'delete' ? 'danger' : ''} onClick={() => want({ kind })}>
              {text}
            </button>
          ))}
      </div>
    </header>
  )
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
