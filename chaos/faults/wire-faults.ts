import type { FaultProxy, WireFaultKind } from 'unforget/faults'
import type { Fault } from '../workload/run-round.ts'

const kinds: readonly WireFaultKind[] = [
  'reset before',
  'reset after',
  'fin before',
  'fin after',
  'half reply',
  'hang before',
  'hang after',
  'drip',
]

/** What a network does between a client and its server. */
export function wireFaults(proxy: FaultProxy): Fault[] {
  return [
    {
      name: 'connection cut',
      strike: async (random) => {
        const kind = kinds[Math.floor(random() * kinds.length)] ?? 'reset after'
        proxy.arm({ do: kind, at: 1 + Math.floor(random() * 5) })
      },
    },
    {
      name: 'connections refused for a while',
      strike: async (random) => void proxy.arm({ do: 'refuse', milliseconds: 50 + random() * 500 }),
    },
  ]
}
