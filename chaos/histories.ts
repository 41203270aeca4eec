import { join } from 'node:path'
import type { CheckOptions } from './checker/checking.ts'
import { describeHistory, describeViolation } from './checker/describe-history.ts'
import { isWrite, type Operation, type Violation } from './checker/history.ts'
import { shrink } from './checker/shrink.ts'
import type { Ground } from './faults/ground.ts'
import type { Context, PartResult } from './part.ts'
import { runRound } from './workload/run-round.ts'

const timeouts = [4000, 1500, 700]

/** Rounds of random work under faults, each checked. Stops at the first round that is not sound. */
export async function checkRounds(makeGround: () => Promise<Ground>, context: Context): Promise<PartResult> {
  const { folder, seed, until, most, tell } = context
  const figures: Record<string, number> = {}
  const count = (name: string, by = 1) => {
    figures[name] = (figures[name] ?? 0) + by
  }
  const ground = await makeGround()
  try {
    for (let round = 0; round < most && (round === 0 || Date.now() < until); round++) {
      const own = seed * 1000 + round
      const place = join(folder, `round-${round}`)
      const target = ground.target(place)
      const timeout = timeouts[round % timeouts.length] ?? 4000
      const { operations, violations, struck } = await runRound({
        folder: place,
        seed: own,
        target: { ...target, options: { ...target.options, timeout } },
        processes: 4,
        sessions: 3,
        calls: 80,
        seconds: 20,
        faults: ground.faults,
        heal: ground.heal,
        ...(ground.settleAt && { settleAt: () => ground.settleAt?.(place) ?? target }),
        check: ground.check,
      })
      count('rounds')
      count('operations', operations.length)
      countOutcomes(operations, count)
      for (const [name, times] of struck) count(`fault: ${name}`, times)
      tell(`round ${round + 1}: ${operations.length} operations, ${violations.length} violations`)
      const [first] = violations
      if (first !== undefined) return { figures, problems: [explain(operations, first, own, ground.check)] }
    }
    return { figures, problems: [] }
  } finally {
    await ground.close()
  }
}

function countOutcomes(operations: readonly Operation[], count: (name: string, by?: number) => void): void {
  for (const operation of operations) {
    if (operation.attempts.length > 1 && isWrite(operation)) count('operations repeated from other processes')
    const outcomes = operation.attempts.map(({ outcome }) => outcome?.is ?? 'open')
    if (outcomes.includes('ok')) count('acknowledged')
    if (outcomes.includes('unknown') || outcomes.includes('open')) count('outcome unknown at first')
  }
}

/** What is wrong, in as few operations as show it. */
export function explain(
  operations: readonly Operation[],
  violation: Violation,
  seed: number,
  options: CheckOptions = {},
): string {
  const few = shrink(operations, violation, options)
  return [
    describeViolation(violation),
    `  seed ${seed}, ${few.length} of ${operations.length} operations:`,
    describeHistory(few),
  ].join('\n')
}
