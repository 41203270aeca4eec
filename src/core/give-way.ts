import { setImmediate as nextTurn } from 'node:timers/promises'

const longestTurnMilliseconds = 5

const stepsBeforeLookingAtTheClock = 1024

/**
 * Makes a function that waits for the next turn of the event loop once enough time has passed since it last did. Embedded backends answer within a turn: without
 * this, a caller's loop of calls would keep everything else from running.
 */
export function makeGiveWay(): () => Promise<void> {
  let lastTurn = performance.now()
  return async () => {
    if (performance.now() - lastTurn < longestTurnMilliseconds) return
    await nextTurn()
    lastTurn = performance.now()
  }
}

/** Calls `step` for 0 up to `count`, as long as it returns true, and lets others have their turn in between. */
export async function inTurns(count: number, step: (index: number) => boolean): Promise<void> {
  const giveWay = makeGiveWay()
  for (let index = 0; index < count; index++) {
    if (!step(index)) return
    if ((index + 1) % stepsBeforeLookingAtTheClock === 0) await giveWay()
  }
}
