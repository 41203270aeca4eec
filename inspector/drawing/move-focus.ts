const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Arrows go from station to station. */
export function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = steps[event.key]
  const stations = [...event.currentTarget.querySelectorAll<HTMLElement>('.station')]
  const index = stations.indexOf(document.activeElement as HTMLElement)
  if (step === undefined || index === -1) return
  event.preventDefault()
  stations[index + step]?.focus()
}
