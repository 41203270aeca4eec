import { useEffect } from 'preact/hooks'
import { findStation } from '../drawing/stations.ts'
import { Line } from '../text/visible.tsx'
import { Changes } from './changes.tsx'
import type { FormProps } from './form-props.ts'

export function RollbackForm({ wanted: { station }, view, stations, setReady }: FormProps) {
  const now = findStation(stations, null)
  useEffect(() => {
    if (station?.id) setReady({ action: 'rollback', snapshot: station.id })
  }, [])
  if (station === undefined || now === undefined) return null
  return (
    <>
      <p>
        Brings back{' '}
        <strong>
          <Line text={station.label} />
        </strong>
        . Nothing is lost: the state you leave is kept as an automatic snapshot.
      </p>
      <Changes session={view.info.id} now={now} then={station} />
    </>
  )
}
