interface Props {
  readonly typed: string
  readonly setTyped: (typed: string) => void
}

export const isDelete = (typed: string): boolean => typed === 'delete'

/** Nothing is erased by a click alone. */
export function TypeDelete({ typed, setTyped }: Props) {
  return (
    <label>
      Type “delete” to go on
      <input autocomplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
    </label>
  )
}
