import { setImmediate as nextTurn } from 'node:timers/promises'

const maxTurnMilliseconds = 5

const stepsBetweenChecks = 1024

/**
 * Makes a function that yields to the event loop once enough time has passed since it last did. Embedded backends respond within a turn: without
 * this, a loop of calls would keep everything else from running.
 */
export function makeGiveWay(): () => Promise<void> | undefined {
  let lastTurn = performance.now()
  const yieldTurn = async () => {
    await nextTurn()
    lastTurn = performance.now()
  }
  return () => (performance.now() - lastTurn < maxTurnMilliseconds ? undefined : yieldTurn())
}

/** Calls `step` for 0 up to `count`, as long as it returns true, and yields in between. */
export async function inTurns(count: number, step: (index: number) => boolean): Promise<void> {
  const giveWay = makeGiveWay()
  for (let index = 0; index < count; index++) {
    if (!step(index)) return
    if (index % stepsBetweenChecks === stepsBetweenChecks - 1) await giveWay()
  }
}
