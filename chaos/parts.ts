import { clusterFailovers } from './failovers/cluster-failovers.ts'
import { postgresPromotions } from './failovers/postgres-promotions.ts'
import { clusterGround } from './faults/cluster-ground.ts'
import type { Ground } from './faults/ground.ts'
import { postgresGround } from './faults/postgres-ground.ts'
import { redisGround } from './faults/redis-ground.ts'
import { sqliteGround } from './faults/sqlite-ground.ts'
import { checkRounds } from './histories.ts'
import type { Context, Part, PartResult } from './part.ts'
import { findPlanted } from './planted/find-planted.ts'
import { type PlantedBug, plantedBugs } from './planted/plant-bug.ts'
import { buildRecorder } from './sqlite/build-recorder.ts'
import { failCalls } from './sqlite/io-errors.ts'
import { killRounds } from './sqlite/kill-rounds.ts'
import { cutPower } from './sqlite/power-cuts.ts'

const histories = (name: string, what: string, makeGround: () => Promise<Ground>): Part => ({
  name,
  what,
  most: 1000,
  run: (context) => checkRounds(makeGround, context),
})

/** Everything that the command does, in this order. */
export const parts: readonly Part[] = [
  {
    name: 'planted',
    what: 'bugs planted in the store, one of them the rewind of 0.1, each of which the checker must find',
    most: Object.keys(plantedBugs).length,
    run: runPlanted,
  },
  histories('sqlite', 'histories on SQLite: clients killed, stopped and resumed', sqliteGround),
  histories(
    'redis',
    'histories on Redis: the same, server killed, restarted and paused, connections cut, scripts flushed',
    redisGround,
  ),
  histories(
    'cluster',
    'histories on a Redis Cluster: the same, slots moved, replicas promoted, with waitForReplicas',
    clusterGround,
  ),
  histories(
    'postgres',
    'histories on PostgreSQL: the same, statements canceled, connections terminated',
    postgresGround,
  ),
  { name: 'kills', what: 'SIGKILL of a process that writes to SQLite, and an exact replay', most: 2000, run: runKills },
  { name: 'power', what: 'power cuts on SQLite: every state that the disk can be in', most: 10_000, run: runPowerCuts },
  {
    name: 'io',
    what: 'the n-th open, write, fsync, truncate or mmap fails, for every n of a run',
    most: 2000,
    run: runIo,
  },
  { name: 'failovers', what: 'failovers of a Redis Cluster under load', most: 50, run: clusterFailovers },
  { name: 'promotions', what: 'promotions of a PostgreSQL standby under load', most: 20, run: postgresPromotions },
]

async function runPlanted({ folder, seed, most, until, tell }: Context): Promise<PartResult> {
  const figures = { 'bugs planted': 0, 'bugs found': 0, 'rounds until found': 0 }
  const problems: string[] = []
  for (const bug of (Object.keys(plantedBugs) as PlantedBug[]).slice(0, most)) {
    if (Date.now() > until) break
    const { rounds, violations } = await findPlanted(bug, `${folder}/${figures['bugs planted']}`, seed, 10)
    figures['bugs planted'] += 1
    figures['rounds until found'] += rounds
    if (violations.length > 0) figures['bugs found'] += 1
    else problems.push(`planted and not found in ${rounds} rounds: ${bug} (seed ${seed})`)
    tell(`${bug}: ${violations[0]?.rule ?? 'not found'}, round ${rounds}`)
  }
  return { figures, problems }
}

async function runKills({ folder, seed, most, until, tell }: Context): Promise<PartResult> {
  const onRound = (done: number) => done % 50 === 0 && tell(`${done} kills`)
  const { rounds, acknowledged, open, problems } = await killRounds({ folder, seed, rounds: most, until, onRound })
  return { figures: { kills: rounds, acknowledged, 'in flight when killed': open }, problems }
}

async function runPowerCuts({ folder, seed, most, until, tell }: Context): Promise<PartResult> {
  const library = buildRecorder(folder)
  const onState = (done: number) => done % 500 === 0 && tell(`${done} states`)
  const { points, states, contents, acknowledged, problems } = await cutPower({
    library,
    folder,
    seed,
    states: most,
    until,
    onState,
  })
  return {
    figures: {
      runs: 1,
      'points of time': points,
      'states opened': states,
      'different contents': contents,
      acknowledged,
    },
    problems,
  }
}

async function runIo({ folder, seed, most, until, tell }: Context): Promise<PartResult> {
  const library = buildRecorder(folder)
  const onRun = (done: number, of: number) => done % 50 === 0 && tell(`${done} of ${of} faults`)
  const { calls, runs, outcomes, problems } = await failCalls({ library, folder, seed, most, until, onRun })
  const counted = Object.fromEntries(Object.entries(calls).map(([kind, count]) => [`${kind} calls in a run`, count]))
  return { figures: { faults: runs, ...counted, ...outcomes }, problems }
}
