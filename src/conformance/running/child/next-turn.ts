let turn = 0
let next: Promise<void> | null = null

/** The number of the event loop's current turn. */
export function presentTurn(): number {
  void nextTurn()
  return turn
}

/** Resolves in the next turn of the event loop: timers, immediates and messages had their chance. */
export function nextTurn(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      turn += 1
      next = null
      resolve()
    })
  })
  return next
}
