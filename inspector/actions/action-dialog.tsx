import { useEffect, useRef, useState } from 'preact/hooks'
import type { Action, SessionView } from '../../src/inspector/wire.ts'
import { act, type Failure } from '../api.ts'
import type { Station } from '../drawing/stations.ts'
import { Failed } from '../text/failed.tsx'
import { Line } from '../text/visible.tsx'
import { DeleteForm } from './delete-form.tsx'
import { DescribeForm } from './describe-form.tsx'
import { ExpireForm } from './expire-form.tsx'
import { ForkForm } from './fork-form.tsx'
import type { FormProps } from './form-props.ts'
import { RewindForm } from './rewind-form.tsx'
import { RollbackForm } from './rollback-form.tsx'
import { SnapshotForm } from './snapshot-form.tsx'

/** What a person wants to do, and where. */
export interface Wanted {
  readonly kind: Action['action']
  readonly station?: Station
  readonly seq?: number
}

interface Props {
  readonly wanted: Wanted
  readonly view: SessionView
  readonly stations: readonly Station[]
  readonly onDone: (sentence: string) => void
  readonly onClose: () => void
  /** Called if the session is not what the dialog says it is. */
  readonly onStale: () => void
}

const forms = {
  snapshot: { title: 'Save a snapshot', verb: 'Save', form: SnapshotForm },
  rollback: { title: 'Roll back', verb: 'Roll back', form: RollbackForm },
  rewind: { title: 'Rewind', verb: 'Rewind', form: RewindForm },
  fork: { title: 'Fork', verb: 'Fork', form: ForkForm },
  describe: { title: 'Describe', verb: 'Change', form: DescribeForm },
  expire: { title: 'Set when it expires', verb: 'Set', form: ExpireForm },
  delete: { title: 'Delete the session', verb: 'Delete', form: DeleteForm },
} as const

/** Shows what an action will change, and commits it under the version that it showed. */
export function ActionDialog({ wanted, view, stations, onDone, onClose, onStale }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [opened] = useState({ view, stations })
  const [ready, setReady] = useState<FormProps['ready']>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const { title, verb, form: Form } = forms[wanted.kind]
  const isStale = view.paths.version !== opened.view.paths.version || failure?.code === 'VERSION_CONFLICT'
  const { id } = opened.view.info
  useEffect(() => dialog.current?.showModal(), [])
  const commit = async () => {
    if (ready === null) return
    setBusy(true)
    try {
      const { done } = await act({ ...ready, session: id, ifVersion: opened.view.paths.version } as Action)
      onDone(`${done.charAt(0).toUpperCase()}${done.slice(1)}.`)
    } catch (error) {
      setFailure(error as Failure)
      setBusy(false)
      onStale()
    }
  }
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="dialog-title">
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault()
          void commit()
        }}
      >
        <h2 id="dialog-title">{title}</h2>
        <p class="quiet">
          <Line text={id} />
        </p>
        <Form wanted={wanted} view={opened.view} stations={opened.stations} ready={ready} setReady={setReady} />
        {failure?.code !== 'VERSION_CONFLICT' && <Failed failure={failure} />}
        {isStale && (
          <p class="stale" role="alert">
            The session changed since this was shown. Nothing was changed. Close this, look again, and decide again.
          </p>
        )}
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {isStale ? 'Close' : 'Cancel'}
          </button>
          <button
            type="submit"
            class={wanted.kind === 'delete' ? 'primary danger' : 'primary'}
            disabled={ready === null || isBusy || failure?.code === 'VERSION_CONFLICT'}
          >
            {verb}
          </button>
        </div>
      </form>
    </dialog>
  )
}
