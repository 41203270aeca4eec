import { useEffect, useState } from 'preact/hooks'
import { countEntries as countIn, splitAfter } from '../../src/core/path.ts'
import { findStation } from '../drawing/stations.ts'
import { Line } from '../text/visible.tsx'
import { countEntries } from '../text/words.ts'
import type { FormProps } from './form-props.ts'

export function ForkForm({ wanted, view, stations, setReady }: FormProps) {
  const [target, setTarget] = useState(`${view.info.id}-copy`)
  const { seq = null, station = findStation(stations, null) } = wanted
  const ranges =
    station === undefined ? [] : seq === null ? station.ranges : (splitAfter(station.ranges, seq)?.[0] ?? [])
  const at = station?.id ?? null
  useEffect(() => setReady(target === '' ? null : { action: 'fork', target, at, to: seq }), [target])
  return (
    <>
      <p>
        Copies {countEntries(countIn(ranges))}
        {seq !== null && `, up to entry ${seq}`}
        {at !== null && station !== undefined && (
          <>
            {' of '}
            <Line text={station.label} />
          </>
        )}
        {' into a new session with the same owner, title and metadata. This session does not change.'}
      </p>
      <label>
        Id of the new session
        <input required value={target} onInput={(event) => setTarget(event.currentTarget.value)} />
      </label>
    </>
  )
}
