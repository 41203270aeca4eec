import type { FiredWireFault } from 'unforget/faults'
import { expect } from 'vitest'

/** The same seed, the same faults at the same commands; another seed, others. */
export async function expectRepeatable(run: (seed: number) => Promise<readonly FiredWireFault[]>): Promise<void> {
  const fired = await run(7)
  expect(fired.length).toBeGreaterThan(8)
  expect(new Set(fired.map(({ did }) => did)).size).toBeGreaterThan(3)
  expect(await run(7)).toEqual(fired)
  expect(await run(8)).not.toEqual(fired)
}
