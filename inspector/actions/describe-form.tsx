import { useEffect, useState } from 'preact/hooks'
import type { FormProps } from './form-props.ts'

export function DescribeForm({ view: { info }, setReady }: FormProps) {
  const [owner, setOwner] = useState(info.owner ?? '')
  const [title, setTitle] = useState(info.title ?? '')
  const [metadata, setMetadata] = useState(info.metadata === null ? '' : JSON.stringify(info.metadata, null, 2))
  const parsed = parse(metadata)
  const before = { owner: info.owner, title: info.title, metadata: info.metadata }
  const after = { owner: owner || null, title: title || null, metadata: parsed ?? null }
  const changed = (['owner', 'title', 'metadata'] as const).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  useEffect(
    () => setReady(parsed === undefined || changed.length === 0 ? null : { action: 'describe', ...after }),
    [owner, title, metadata],
  )
  return (
    <>
      <label>
        Owner
        <input value={owner} onInput={(event) => setOwner(event.currentTarget.value)} />
      </label>
      <label>
        Title
        <input value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
      </label>
      <label>
        Metadata (JSON)
        <textarea
          rows={4}
          spellcheck={false}
          value={metadata}
          onInput={(event) => setMetadata(event.currentTarget.value)}
        />
      </label>
      <p role="status">
        {parsed === undefined
          ? 'The metadata must be a JSON object.'
          : changed.length === 0
            ? 'Nothing changes yet.'
            : `Changes the ${changed.join(' and the ')}. The conversation stays as it is.`}
      </p>
    </>
  )
}

/** `undefined` if it is no object. */
function parse(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
