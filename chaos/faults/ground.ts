import { setTimeout as wait } from 'node:timers/promises'
import type { ServerControls } from 'unforget/testing/servers'
import type { CheckOptions } from '../checker/checking.ts'
import type { Target } from '../workload/open-store.ts'
import type { Fault } from '../workload/run-round.ts'

/** A memory to work on, and what can be done to it. */
export interface Ground {
  readonly target: (folder: string) => Target
  /** Past everything that fails. Default: the target. */
  readonly settleAt?: (folder: string) => Target
  readonly faults: readonly Fault[]
  /** Mends what is broken after a round. */
  readonly heal: () => Promise<void>
  readonly check: CheckOptions
  readonly close: () => Promise<void>
}

/** Kills and restarts, restarts in order, and pauses. */
export function serverFaults(server: ServerControls): Fault[] {
  return [
    {
      name: 'server killed and started again',
      strike: async () => {
        await server.kill()
        await server.restart()
      },
    },
    { name: 'server restarted', strike: () => server.restart() },
    { name: 'server paused and resumed', strike: (random) => pause(server, 100 + random() * 900) },
  ]
}

export async function pause(server: ServerControls, milliseconds: number): Promise<void> {
  server.pause()
  await wait(milliseconds)
  server.resume()
}
