import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openMemory } from 'unforget'
import { clusterGround, killMaster } from '../faults/cluster-ground.ts'
import { explain } from '../histories.ts'
import type { Context, PartResult } from '../part.ts'
import { runRound } from '../workload/run-round.ts'

/** Masters are killed, and their replicas promoted, while processes write with `waitForReplicas`. */
export async function clusterFailovers({ folder, seed, until, most, tell }: Context): Promise<PartResult> {
  const figures = { failovers: 0, operations: 0, 'warned beforehand': 0 }
  const ground = await clusterGround()
  try {
    const { url } = ground.target(folder)
    const warnings = await warningsOf(url)
    if (!warnings.some((one) => /failover/.test(one))) {
      return { figures, problems: [`a cluster, and no warning of a failover: ${warnings.join('; ')}`] }
    }
    figures['warned beforehand'] += 1
    for (let round = 0; figures.failovers < most && (round === 0 || Date.now() < until); round++) {
      const own = seed * 1000 + round
      const { operations, violations } = await runRound({
        folder: join(folder, `${round}`),
        seed: own,
        target: ground.target(folder),
        processes: 6,
        sessions: 24,
        calls: 400,
        seconds: 20,
        faults: [
          {
            name: 'master killed',
            strike: async (random) => {
              if (figures.failovers >= most) return
              await wait(1000 * random())
              await killMaster(ground.cluster, random)
              figures.failovers += 1
            },
          },
        ],
        sparesClients: true,
        heal: ground.heal,
        check: ground.check,
      })
      figures.operations += operations.length
      tell(`${figures.failovers} failovers, ${operations.length} operations, ${violations.length} violations`)
      const [first] = violations
      if (first !== undefined) return { figures, problems: [explain(operations, first, own, ground.check)] }
    }
    return { figures, problems: [] }
  } finally {
    await ground.close()
  }
}

async function warningsOf(url: string): Promise<readonly string[]> {
  await using memory = await openMemory(url)
  return (await memory.health()).warnings
}
