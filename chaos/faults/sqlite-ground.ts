import { join } from 'node:path'
import type { PlantedBug } from '../planted/plant-bug.ts'
import type { Ground } from './ground.ts'

/** A file for each round. Only its processes can be hurt: power cuts and failing calls have runs of their own. */
export async function sqliteGround(planted?: PlantedBug): Promise<Ground> {
  return {
    target: (folder) => ({
      url: `sqlite:${join(folder, 'memory.db')}`,
      options: { timeout: 4000 },
      ...(planted !== undefined && { planted }),
    }),
    faults: [],
    heal: async () => {},
    check: {},
    close: async () => {},
  }
}
