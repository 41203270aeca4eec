import type { FaultKind, PlannedFault } from '../../../faults/fault-plan.ts'
import type { CaseContext } from '../../case.ts'
import { isSame, same } from '../helpers/same.ts'
import type { WrittenCase } from '../written-case.ts'
import { look, lookWhenStill, type Mutation, mutations, prepare } from './helpers/mutations.ts'
import { outcomeOf } from './helpers/outcome-of.ts'
import { severalAtOnce } from './helpers/several-at-once.ts'
import { untilFired } from './helpers/until-fired.ts'
import { worksAgain } from './helpers/works-again.ts'

const session = 's'

const kinds: readonly FaultKind[] = ['fail before', 'fail after', 'hang before', 'hang after', 'delay']

/** Every mutation meets every fault at every call it makes to the backend, once and permanently. */
export const everyMutation: WrittenCase[] = mutations.map((mutation) => ({
  id: `faults.1/${mutation.name}-under-every-fault`,
  clause: 'faults.1',
  level: 'faults',
  needs: ['faults', 'codes', 'edits'],
  title: `${mutation.name} truthfully reports done, not done or unknown for every fault at every call`,
  run: (context) => underEveryFault(mutation, context),
}))

async function underEveryFault(mutation: Mutation, context: CaseContext): Promise<void> {
  const states = await statesOf(mutation, context)
  const plans: PlannedFault[] = []
  for (let at = 1; at <= states.calls; at++) {
    for (const kind of kinds) {
      plans.push({ do: kind, at, milliseconds: 30 })
      if (kind !== 'delay') plans.push({ do: kind, at, times: Number.POSITIVE_INFINITY })
    }
  }
  await severalAtOnce(plans, 16, (plan) => underOneFault(mutation, plan, states, context))
}

interface States {
  readonly before: unknown
  readonly after: unknown
  /** How many calls the mutation makes to the backend. */
  readonly calls: number
}

async function statesOf({ act }: Mutation, { withFaults }: CaseContext): Promise<States> {
  const { store, sound, backend } = await withFaults([], { timeout: 60_000 })
  await prepare(sound, session)
  const before = await look(sound, session)
  await act(store, session)
  return { before, after: await look(sound, session), calls: backend.calls }
}

function underOneFault(mutation: Mutation, plan: PlannedFault, states: States, context: CaseContext): Promise<void> {
  return untilFired(async (timeout) => {
    const { store, sound, backend } = await context.withFaults([plan], { timeout })
    const about = `${mutation.name}, ${plan.do} at call ${plan.at}${plan.times === undefined ? '' : ' and after'}`
    await prepare(sound, session)
    const outcome = await outcomeOf(mutation.act(store, session), about)
    const state = await lookWhenStill(sound, session)
    if (outcome === 'done') same(state, states.after, `${about}: acknowledged, and so it is there`)
    else if (outcome === 'no') same(state, states.before, `${about}: said not to be applied, and so it is not there`)
    else {
      const isWhole = isSame(state, states.before) || isSame(state, states.after)
      if (!isWhole) same(state, states.after, `${about}: unknown, but whole or not at all`)
    }
    const mustBeBack = backend.pending.length === 0 && plan.times === undefined
    const isBack = !mustBeBack || (await worksAgain(store, about))
    for (const handle of [store, sound]) await context.close(handle)
    return { backend, about, isBack }
  })
}
