import { useState } from 'preact/hooks'
import { isDelete, TypeDelete } from '../actions/type-delete.tsx'
import { act, type Failure } from '../api.ts'
import { VerifyButton } from '../health/verify-button.tsx'
import { Failed } from '../text/failed.tsx'

interface Props {
  readonly session: string
  readonly write: boolean
  readonly onDone: () => void
}

/** What can be done with a session whose state or path is lost: look at the damage, and erase what is left. */
export function DamagedSession({ session, write, onDone }: Props) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const erase = async () => {
    setBusy(true)
    try {
      await act({ action: 'deleteDamaged', session })
      onDone()
    } catch (error) {
      setFailure(error as Failure)
      setBusy(false)
    }
  }
  return (
    <section class="panel" aria-labelledby="damaged-title">
      <h2 id="damaged-title">This session is damaged</h2>
      <p>It cannot be read or written anymore. What is left of it stays in the store, so that it can be restored.</p>
      <VerifyButton session={session} text="Verify" />
      {!write && <p class="quiet">To delete what is left, start the inspector with --write.</p>}
      {write && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (isDelete(typed)) void erase()
          }}
        >
          <p>
            Deleting erases everything that is left: its entries and all its snapshots. A damaged session has no version
            to check, so nobody can say how much that is. <strong>There is no way back.</strong>
          </p>
          <TypeDelete typed={typed} setTyped={setTyped} />
          <Failed failure={failure} />
          <div class="actions">
            <button type="submit" class="danger" disabled={!isDelete(typed) || isBusy}>
              Delete what is left
            </button>
          </div>
        </form>
      )}
    </section>
  )
}
