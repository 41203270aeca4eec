import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Nearer to the end than this counts as at the end, in pixels. */
const near = 60

interface Anchor {
  readonly seq: string | null
  readonly top: number
  readonly isAtEnd: boolean
}

/**
 * Keeps what a person looks at where it is when entries are added above or below; at the end, it follows the end.
 * Returns what to call before a change. `target` is the seq to bring into view instead.
 */
export function useSteadyScroll(
  box: RefObject<HTMLElement | null>,
  content: unknown,
  target: RefObject<number | null>,
): () => void {
  const anchor = useRef<Anchor>({ seq: null, top: 0, isAtEnd: true })
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const { seq, top, isAtEnd } = anchor.current
    const wanted = target.current !== null && current.querySelector(`[data-seq="${target.current}"]`)
    if (wanted) {
      wanted.scrollIntoView({ block: 'center' })
      target.current = null
    } else if (isAtEnd) current.scrollTop = current.scrollHeight
    else {
      const same = current.querySelector(`[data-seq="${seq}"]`)
      if (same !== null) current.scrollTop += same.getBoundingClientRect().top - top
    }
  }, [content])
  return () => {
    const { current } = box
    if (current === null) return
    const edge = current.getBoundingClientRect().top
    const entries = [...current.querySelectorAll<HTMLElement>('[data-seq]')]
    const first = entries.find((entry) => entry.getBoundingClientRect().bottom > edge)
    anchor.current = {
      seq: first?.dataset['seq'] ?? null,
      top: first?.getBoundingClientRect().top ?? 0,
      isAtEnd: current.scrollHeight - current.scrollTop - current.clientHeight < near,
    }
  }
}
