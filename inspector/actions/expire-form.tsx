import { useEffect, useState } from 'preact/hooks'
import { showTime } from '../text/words.ts'
import type { FormProps } from './form-props.ts'

type Way = 'never' | 'ttl' | 'at'

const hour = 3_600_000

export function ExpireForm({ view: { info }, setReady }: FormProps) {
  const [way, setWay] = useState<Way>('never')
  const [hours, setHours] = useState('24')
  const [moment, setMoment] = useState('')
  const at = Date.parse(moment)
  const ttl = Number(hours) * hour
  const when =
    way === 'never' ? { never: true as const } : way === 'ttl' ? (ttl > 0 ? { ttl } : null) : at > 0 ? { at } : null
  useEffect(() => setReady(when === null ? null : { action: 'expire', when }), [way, hours, moment])
  const choice = (value: Way, text: string) => (
    <label class="choice">
      <input type="radio" name="way" checked={way === value} onChange={() => setWay(value)} /> {text}
    </label>
  )
  return (
    <>
      <p>It expires {info.expiresAt === null ? 'never' : showTime(info.expiresAt)} now.</p>
      <fieldset>
        <legend>When it expires</legend>
        {choice('never', 'never')}
        {choice('ttl', 'some time after the last write')}
        {choice('at', 'at a fixed time')}
      </fieldset>
      {way === 'ttl' && (
        <label>
          Hours after the last write
          <input
            type="number"
            min="0"
            step="any"
            value={hours}
            onInput={(event) => setHours(event.currentTarget.value)}
          />
        </label>
      )}
      {way === 'at' && (
        <label>
          Local time
          <input type="datetime-local" value={moment} onInput={(event) => setMoment(event.currentTarget.value)} />
        </label>
      )}
      <p role="status">
        {when === null
          ? 'Say when.'
          : way === 'never'
            ? 'It will never expire.'
            : way === 'at' && at <= Date.now()
              ? 'That moment has passed: the session will be gone at once, with all its snapshots.'
              : `It will expire ${showTime(way === 'at' ? at : Date.now() + ttl)}${way === 'ttl' ? ', or later if something is written' : ''}. Then it is gone, with all its snapshots.`}
      </p>
    </>
  )
}
