import { useState } from 'preact/hooks'

interface Props {
  readonly end: number
  readonly onStart: () => void
  readonly onEnd: () => void
  readonly onSeq: (seq: number) => void
}

export function GoTo({ end, onStart, onEnd, onSeq }: Props) {
  const [seq, setSeq] = useState('')
  return (
    <form
      class="go-to"
      onSubmit={(event) => {
        event.preventDefault()
        if (/^\d+$/.test(seq)) onSeq(Number(seq))
      }}
    >
      <button type="button" onClick={onStart}>
        First
      </button>
      <label>
        <span class="unseen">Go to entry</span>
        <input
          inputMode="numeric"
          pattern="\d*"
          placeholder={end > 0 ? `# … ${end}` : '#'}
          value={seq}
          onInput={(event) => setSeq(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Go</button>
      <button type="button" onClick={onEnd}>
        Last
      </button>
    </form>
  )
}
