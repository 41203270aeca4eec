import type { Failure } from '../api.ts'
import { Line } from './visible.tsx'

/** What went wrong, and what to do. */
export function Failed({ failure, retry }: { failure: Failure | null; retry?: () => void }) {
  if (failure === null) return null
  return (
    <div class="failed" role="alert">
      <p>
        <strong>{failure.code}</strong> <Line text={failure.message} />
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
