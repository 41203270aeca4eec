/**
 * What `work` comes to, or the error that `late` makes once the time is over. An event loop that was held up finds the timer due before it
 * has looked at its sockets, so it looks at them once more: an answer that is there already is not late.
 */
export function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let lastLook: NodeJS.Immediate | undefined
    const timer = setTimeout(
      () => {
        lastLook = setImmediate(() => reject(late()))
      },
      Math.max(0, milliseconds),
    )
    const stop = () => {
      clearTimeout(timer)
      clearImmediate(lastLook)
    }
    work.then(
      (result) => {
        stop()
        resolve(result)
      },
      (error) => {
        stop()
        reject(error)
      },
    )
  })
}
