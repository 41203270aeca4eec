/** A promise, and the function that resolves it. */
export function waiting(): { readonly promise: Promise<void>; readonly end: () => void } {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { promise, end }
}
