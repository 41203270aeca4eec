import { makeRandom } from '../plan-faults.ts'
import type { ClientCommand, WireProtocol } from './protocols/wire-protocol.ts'
import type { CountedCommands, PlannedWireFault, RandomWireFaults, WireFaultPlan } from './wire-fault-plan.ts'

/** The fault of a command. */
export interface DueFault {
  readonly fault: PlannedWireFault
  /** Tells the planner that it fired. */
  happened(): void
}

/** Decides for every command whether it fails, and how. */
export interface WirePlanner {
  /** Counts the command, and returns its fault. A command that already has another fault is only counted. */
  next(command: ClientCommand, mayFail: boolean): DueFault | null
  pending(): (PlannedWireFault | RandomWireFaults)[]
}

export function planWireFaults(plan: WireFaultPlan, protocol: WireProtocol): WirePlanner {
  if ('seed' in plan) return planRandomly(plan, protocol)
  const faults = 'do' in plan ? [plan] : plan
  for (const { at = 1, times = 1, do: kind, reply, bytes = 1 } of faults) {
    if (!Number.isInteger(at) || at < 1) throw new TypeError('at: expected the number of a command, starting at 1')
    if (!(times >= 1)) throw new TypeError('times: expected 1 or more')
    if (!Number.isInteger(bytes) || bytes < 1) throw new TypeError('bytes: expected a whole number, 1 or more')
    if (kind === 'error') protocol.errorReply(reply ?? '')
  }
  return planExactly(faults)
}

function planExactly(plan: readonly PlannedWireFault[]): WirePlanner {
  const counted = plan.map((fault) => ({ fault, seen: 0, due: 0, happened: 0 }))
  return {
    next(command, mayFail) {
      let found: DueFault | null = null
      for (const one of counted) {
        if (!counts(one.fault, command)) continue
        one.seen += 1
        const { at = 1, times = 1 } = one.fault
        if (!mayFail || found !== null || one.seen < at || one.due >= times) continue
        one.due += 1
        const happened = () => {
          one.happened += 1
        }
        found = { fault: one.fault, happened }
      }
      return found
    },
    pending: () => counted.filter(({ happened }) => happened === 0).map(({ fault }) => fault),
  }
}

function planRandomly(plan: RandomWireFaults, protocol: WireProtocol): WirePlanner {
  const { seed, rate, kinds = ['reset before', 'reset after'], replies = protocol.errorReplies ?? [] } = plan
  if (!(rate >= 0 && rate <= 1)) throw new TypeError('rate: expected a fraction from 0 to 1')
  if (kinds.includes('error')) for (const reply of replies.length === 0 ? [''] : replies) protocol.errorReply(reply)
  const random = makeRandom(seed)
  const pick = <Choice>(choices: readonly Choice[]) => choices[Math.floor(random() * choices.length)]
  let count = 0
  return {
    next(command, mayFail) {
      if (!counts(plan, command) || random() >= rate) return null
      const kind = pick(kinds)
      const reply = pick(replies)
      const milliseconds = Math.floor(random() * 20)
      if (kind === undefined || !mayFail) return null
      const fault = {
        do: kind,
        ...(reply === undefined ? {} : { reply }),
        ...(kind === 'drip' ? {} : { milliseconds }),
      }
      const happened = () => {
        count += 1
      }
      return { fault, happened }
    },
    pending: () => (count === 0 ? [plan] : []),
  }
}

function counts({ of, where }: CountedCommands, command: ClientCommand): boolean {
  if (of === undefined ? command.isHandshake : !names(of).includes(command.name)) return false
  return where?.(command) ?? true
}

function names(of: string | readonly string[]): string[] {
  return (typeof of === 'string' ? [of] : of).map((name) => name.toUpperCase())
}
