import { useEffect } from 'preact/hooks'
import { splitAfter } from '../../src/core/path.ts'
import { findStation } from '../drawing/stations.ts'
import { Changes } from './changes.tsx'
import type { FormProps } from './form-props.ts'

export function RewindForm({ wanted: { seq = 0 }, view, stations, setReady }: FormProps) {
  const now = findStation(stations, null)
  const kept = now && splitAfter(now.ranges, seq)?.[0]
  const label = `before the rewind to #${seq}`
  useEffect(() => setReady(kept === undefined ? null : { action: 'rewind', to: seq, label }), [])
  if (now === undefined || kept === undefined) return <p>The session no longer reads entry {seq}.</p>
  return (
    <>
      <p>
        Keeps everything up to entry {seq}. The state you leave is saved as the snapshot “{label}”.
      </p>
      <Changes session={view.info.id} now={now} then={{ id: null, ranges: kept }} />
    </>
  )
}
