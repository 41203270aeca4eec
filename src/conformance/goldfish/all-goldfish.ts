import type { Goldfish } from './goldfish.ts'
import { stories } from './stories.ts'

/** Every goldfish there is. */
export const allGoldfish: readonly Goldfish[] = [...stories]

export function findGoldfish(name: string): Goldfish {
  const found = allGoldfish.find((goldfish) => goldfish.name === name)
  if (found === undefined) throw new RangeError(`there is no goldfish named "${name}"`)
  return found
}
