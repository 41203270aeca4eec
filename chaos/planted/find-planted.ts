import { join } from 'node:path'
import type { Operation, Violation } from '../checker/history.ts'
import { sqliteGround } from '../faults/sqlite-ground.ts'
import { runRound } from '../workload/run-round.ts'
import type { PlantedBug } from './plant-bug.ts'

export interface Found {
  readonly rounds: number
  readonly operations: readonly Operation[]
  readonly violations: readonly Violation[]
}

/** Rounds on a store with a planted bug, until the checker finds it. */
export async function findPlanted(bug: PlantedBug, folder: string, seed: number, mostRounds: number): Promise<Found> {
  const ground = await sqliteGround(bug)
  for (let round = 1; ; round++) {
    const place = join(folder, `round-${round}`)
    const { operations, violations } = await runRound({
      folder: place,
      seed: seed + round,
      target: ground.target(place),
      processes: 4,
      sessions: 2,
      calls: 80,
      seconds: 20,
      faults: [],
      sparesClients: true,
    })
    if (violations.length > 0 || round === mostRounds) return { rounds: round, operations, violations }
  }
}
