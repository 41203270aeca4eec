import { setImmediate as nextTurn } from 'node:timers/promises'

/** So many milliseconds a turn of the event loop may be kept busy. */
const longestTurn = 5

/** After so many short steps it is looked whether that time is over. */
const stepsAtOnce = 1024

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

/** Calls `step` for 0 up to `count`, as long as it returns true, and lets others have their turn in between. */
export async function inTurns(count: number, step: (index: number) => boolean): Promise<void> {
  const giveWay = makeGiveWay()
  for (let index = 0; index < count; index++) {
    if (!step(index)) return
    if (index % stepsAtOnce === stepsAtOnce - 1) await giveWay()
  }
}
