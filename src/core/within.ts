/**
 * The result of `work`, or the error that `late` makes once the time is up. After a blocked event loop, the timer fires before the sockets
 * are read, so they are checked once more: a response that has already arrived is not late.
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
