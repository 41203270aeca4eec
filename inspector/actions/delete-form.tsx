import { useEffect, useState } from 'preact/hooks'
import { countEntries, countOf } from '../text/words.ts'
import type { FormProps } from './form-props.ts'
import { isDelete, TypeDelete } from './type-delete.tsx'

export function DeleteForm({ view: { info, paths }, setReady }: FormProps) {
  const [typed, setTyped] = useState('')
  useEffect(() => setReady(isDelete(typed) ? { action: 'delete' } : null), [typed])
  return (
    <>
      <p>
        Erases the session: {countEntries(info.entries)} that it reads, a log of {countEntries(paths.end)}, and{' '}
        {countOf(paths.snapshots.length, 'snapshot')}. <strong>There is no way back.</strong>
      </p>
      <TypeDelete typed={typed} setTyped={setTyped} />
    </>
  )
}
