import { useEffect, useState } from 'preact/hooks'
import { countEntries, countOf } from '../text/words.ts'
import type { FormProps } from './form-props.ts'

export function DeleteForm({ view: { info, paths }, setReady }: FormProps) {
  const [typed, setTyped] = useState('')
  useEffect(() => setReady(typed === 'delete' ? { action: 'delete' } : null), [typed])
  return (
    <>
      <p>
        Erases the session: {countEntries(info.entries)} that it reads, a log of {countEntries(paths.end)}, and{' '}
        {countOf(paths.snapshots.length, 'snapshot')}. <strong>There is no way back.</strong>
      </p>
      <label>
        Type “delete” to go on
        <input autocomplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
    </>
  )
}
