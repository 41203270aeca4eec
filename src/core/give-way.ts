import { setImmediate as nextTurn } from 'node:timers/promises'

/** So many milliseconds a turn of the event loop may be kept busy. */
const longestTurn = 5

/**
 * Makes a function that waits for the next turn of the event loop once enough time has passed since it last did. Embedded backends answer within a turn: without
 * this, a caller's loop of calls would keep everything else from running.
 */
export function makeGiveWay(): () => Promise<void> {
  let lastTurn = performance.now()
  return async () => {
    if (performance.now() - lastTurn < longestTurn) return
    await nextTurn()
    lastTurn = performance.now()
  }
}
