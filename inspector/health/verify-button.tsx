import { useEffect, useRef, useState } from 'preact/hooks'
import { describeSeqs } from '../../src/core/path.ts'
import type { Verified } from '../../src/core/types.ts'
import type { VerifyLine } from '../../src/inspector/wire.ts'
import { askLines, Failure } from '../api.ts'
import { hashOf } from '../route.ts'
import { Failed } from '../text/failed.tsx'
import { Line } from '../text/visible.tsx'
import { countEntries, countOf } from '../text/words.ts'

interface State {
  readonly progress: string
  readonly verified: Verified | null
  readonly failure: Failure | null
}

const nothing: State = { progress: '', verified: null, failure: null }

/** Verifies one session, or all, and lists what is damaged. */
export function VerifyButton({ session, text }: { session: string | null; text: string }) {
  const [state, setState] = useState(nothing)
  const work = useRef<AbortController | null>(null)
  useEffect(() => () => work.current?.abort(), [])
  const stop = () => {
    work.current?.abort()
    setState(nothing)
  }
  const verify = async () => {
    const ended = new AbortController()
    work.current = ended
    setState({ ...nothing, progress: 'Reading …' })
    try {
      for await (const line of askLines<VerifyLine>('verify', { session }, ended.signal)) {
        if ('verified' in line) setState({ ...nothing, verified: line.verified })
        else if ('error' in line) throw new Failure(line.error)
        else setState({ ...nothing, progress: `Read ${countEntries(line.entries)} …` })
      }
    } catch (error) {
      if (!ended.signal.aborted && error instanceof Failure) setState({ ...nothing, failure: error })
    }
  }
  const { progress, verified, failure } = state
  return (
    <div class="verify">
      {progress === '' ? (
        <button type="button" onClick={() => void verify()}>
          {text}
        </button>
      ) : (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
      <span role="status">
        {progress}
        {verified?.ok === true && <span class="good-text">{countEntries(verified.entries)}: all intact</span>}
        {verified?.ok === false && <span class="bad-text">{countOf(verified.damage.length, 'damaged place')}</span>}
      </span>
      <Failed failure={failure} />
      {verified?.ok === false && (
        <ul class="damage">
          {verified.damage.map(({ session: damaged, seqs, reason }) => (
            <li key={`${damaged} ${reason}`}>
              {damaged !== null && (
                <a href={hashOf({ session: damaged })}>
                  <Line text={damaged} />
                </a>
              )}{' '}
              {seqs.length > 0 && `entries ${describeSeqs(seqs)}: `}
              <Line text={reason} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
