import { useEffect, useRef } from 'preact/hooks'

/** The end of what is loaded: loads more when it comes into view, or when it is pressed. */
export function Edge({ text, onReach }: { text: string; onReach: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(onReach)
  latest.current = onReach
  useEffect(() => {
    const { current } = button
    if (current === null) return
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) latest.current()
    })
    observer.observe(current)
    return () => observer.disconnect()
  })
  return (
    <button type="button" class="edge" ref={button} onClick={onReach}>
      {text}
    </button>
  )
}
