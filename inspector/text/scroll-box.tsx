import type { ComponentChildren, Ref } from 'preact'

interface Props {
  readonly class: string
  readonly label: string
  readonly box?: Ref<HTMLElement>
  readonly children: ComponentChildren
}

/** A region that scrolls, and that the keyboard reaches. */
export function ScrollBox({ class: name, label, box = null, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, nobody could scroll it with the keyboard
    <section class={name} ref={box} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
