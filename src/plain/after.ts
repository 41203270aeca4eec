/** Resolves after the given milliseconds, unless it is canceled first. */
export function after(milliseconds: number): { promise: Promise<void>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  return { promise, cancel: () => clearTimeout(timer) }
}
