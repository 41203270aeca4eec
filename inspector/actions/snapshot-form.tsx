import { useEffect, useState } from 'preact/hooks'
import { countEntries } from '../text/words.ts'
import type { FormProps } from './form-props.ts'

export function SnapshotForm({ view, setReady }: FormProps) {
  const [label, setLabel] = useState('')
  useEffect(() => setReady({ action: 'snapshot', label: label === '' ? null : label }), [label])
  return (
    <>
      <p>
        Saves the present state, {countEntries(view.info.entries)}, so that you can come back to it. Nothing else
        changes.
      </p>
      <label>
        Label
        <input value={label} onInput={(event) => setLabel(event.currentTarget.value)} />
      </label>
    </>
  )
}
