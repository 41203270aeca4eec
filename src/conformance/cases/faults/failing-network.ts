import assert from 'node:assert/strict'
import type { ArmedFaults, PlannedWireFault, WireFaultKind } from '../../../faults/proxy/wire-fault-plan.ts'
import type { CaseContext, FullStore, ProxiedHandle } from '../../case.ts'
import { NotInTime } from '../helpers/patience.ts'
import { isSame, same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { look, lookWhenStill, type Mutation, mutations, prepare } from './helpers/mutations.ts'
import { failureOf, outcomeOf } from './helpers/outcome-of.ts'
import { severalAtOnce } from './helpers/several-at-once.ts'
import { worksAgain } from './helpers/works-again.ts'

const level = 'faults' as const
const forever = { times: Number.POSITIVE_INFINITY } as const

const kinds: readonly WireFaultKind[] = [
  'reset before',
  'reset after',
  'hang before',
  'hang after',
  'fin before',
  'fin after',
  'half reply',
]

/** The deadline of each call to the server, in milliseconds. */
const timeout = 300

/** Maximum concurrent handles, so that none waits for the others until its deadline. */
const atOnce = 8

/** Every mutation meets every fault of the network at every command it sends to its server. */
const everyMutation: WrittenCase[] = mutations.map((mutation) => ({
  id: `faults.1/${mutation.name}-through-a-failing-network`,
  clause: 'faults.1',
  level,
  needs: ['endpoint', 'codes', 'edits'],
  title: `${mutation.name} truthfully reports done, not done or unknown if the network fails at any command`,
  run: (context) => underEveryFault(mutation, context),
}))

async function underEveryFault(mutation: Mutation, context: CaseContext): Promise<void> {
  const { store, sound, proxy } = await context.throughProxy({ timeout: 60_000 })
  let before: unknown
  const commands = await countCommands(proxy, async (session) => {
    await prepare(sound, session)
    before = await look(sound, session)
    return () => mutation.act(store, session)
  })
  const after = await look(sound, calm)
  await underAllFaults(context, commands, async (handle, { session, about, arm }) => {
    await prepare(handle.sound, session)
    arm()
    const outcome = await outcomeOf(mutation.act(handle.store, session), about)
    await handle.proxy.heal()
    const state = await lookWhenStill(handle.sound, session)
    if (outcome === 'done') same(state, after, `${about}: acknowledged, and so it is there`)
    else if (outcome === 'no') same(state, before, `${about}: said not to be applied, and so it is not there`)
    else if (!isSame(state, before)) same(state, after, `${about}: unknown, but whole or not at all`)
  })
}

const calm = 'calm'

/** How many commands it sends; not the first time, because the client may still have to introduce itself. */
async function countCommands(
  proxy: ProxiedHandle['proxy'],
  prepared: (session: string) => Promise<() => Promise<unknown>>,
): Promise<number> {
  await (await prepared('first'))()
  const act = await prepared(calm)
  const sent = proxy.commands.length
  await act()
  return proxy.commands.slice(sent).filter(({ isHandshake }) => !isHandshake).length
}

interface Attempt {
  readonly session: string
  readonly about: string
  /** From here on, the planned fault can fire. */
  readonly arm: () => void
}

/** Tries something under every fault at each command, then checks that the store works again. Several handles share the work. */
async function underAllFaults(
  context: CaseContext,
  commands: number,
  attempt: (handle: ProxiedHandle, attempt: Attempt) => Promise<void>,
): Promise<void> {
  const handles = await Promise.all(Array.from({ length: atOnce }, () => context.throughProxy({ timeout })))
  const replies = handles[0]?.proxy.errorReplies ?? []
  const plans = Array.from({ length: commands }, (_, index) => faultsAt(index + 1, replies)).flat()
  await severalAtOnce(plans, atOnce, async (plan) => {
    const handle = handles.pop() ?? assert.fail('as many handles as are under way')
    await underOneFault(context, handle, plan, attempt)
    handles.push(handle)
  })
}

/** On a slow machine a call may end by its deadline before the command that is to fail is sent, or before it is done: it is then tried with a longer one. */
async function underOneFault(
  context: CaseContext,
  first: ProxiedHandle,
  plan: PlannedWireFault,
  attempt: (handle: ProxiedHandle, attempt: Attempt) => Promise<void>,
): Promise<void> {
  const about = describe(plan)
  let handle = first
  for (const longer of [2000, 10_000, null]) {
    let armed: ArmedFaults | undefined
    const arm = () => {
      armed = handle.proxy.arm(plan)
    }
    await attempt(handle, { session: `${about}, before ${longer}`, about, arm })
    await handle.proxy.heal()
    const isBack = await worksAgain(handle.store, about)
    const hasFired = armed?.pending.length === 0
    if (hasFired && isBack) return
    if (longer !== null) handle = await context.throughProxy({ timeout: longer })
    else
      throw new NotInTime(`${about}: ${hasFired ? 'the store does not work again' : 'the planned fault never fired'}`)
  }
}

function faultsAt(at: number, replies: readonly string[]): PlannedWireFault[] {
  return [
    ...kinds.map((kind) => ({ do: kind, at })),
    ...replies.map((reply) => ({ do: 'error' as const, at, reply })),
    { do: 'delay', at, milliseconds: 30 },
    { do: 'drip', at },
    { do: 'refuse', at, milliseconds: 20 },
    ...(at === 1 ? kinds.map((kind) => ({ do: kind, at, ...forever })) : []),
  ]
}

function describe({ do: kind, at = 1, reply, times }: PlannedWireFault): string {
  return `${kind}${reply === undefined ? '' : ` ${reply}`} at command ${at}${times === undefined ? '' : ' and after'}`
}

export const failingNetwork: WrittenCase[] = [
  ...everyMutation,
  {
    level,
    needs: ['endpoint'],
    id: 'faults.3/turns-through-a-failing-network',
    clause: 'faults.3',
    title: 'after any network failure the store works again, with every acknowledged turn and no partial one',
    async run(context) {
      const { store, proxy } = await context.throughProxy({ timeout: 60_000 })
      const commands = await countCommands(proxy, async (session) => {
        await store.addMessages(session, turns(2))
        return () => store.addMessages(session, turns(2, 3))
      })
      await underAllFaults(context, commands, async (handle, { session, about, arm }) => {
        await handle.sound.addMessages(session, turns(2))
        arm()
        const failure = await failureOf(handle.store.addMessages(session, turns(2, 3)), about)
        await handle.proxy.heal()
        const kept = await handle.sound.getHistory(session)
        if (failure === null || !isSame(kept, turns(2))) same(kept, turns(4), about)
      })
    },
  },
  {
    level,
    needs: ['endpoint', 'codes'],
    id: 'faults.4/read-through-failing-network',
    clause: 'faults.4',
    title: 'if the network fails at any command, a read returns everything or fails, and never returns less',
    async run(context) {
      const kept = turns(1100)
      const { store, proxy } = await context.throughProxy({ timeout: 60_000 })
      const commands = await countCommands(proxy, async (session) => {
        await store.addMessages(session, kept)
        return () => store.getHistory(session)
      })
      await underAllFaults(context, commands, async (handle, { session, about, arm }) => {
        await handle.sound.addMessages(session, kept)
        arm()
        const seen: unknown[] = []
        const read = handle.store.getHistory(session).then((history) => seen.push(history))
        const outcome = await outcomeOf(read, about)
        if (outcome === 'done') same(seen, [kept], about)
        else same(outcome, 'no', about)
      })
    },
  },
  {
    level,
    needs: ['endpoint', 'codes'],
    id: 'faults.1/writers-through-a-failing-network',
    clause: 'faults.1',
    title: 'with eight writers through a randomly failing network, each turn is kept exactly as reported',
    async run({ throughProxy, seed }) {
      const { store, sound, proxy } = await throughProxy({ timeout: 400 })
      const armed = proxy.arm({ seed, rate: 0.3, kinds: [...kinds, 'error', 'delay'] })
      const told = await writeAtOnce(store)
      await proxy.heal()
      assert.ok(armed.fired.length > 0, 'faults must have fired')
      const kept = texts(await sound.getHistory('s'))
      for (const [text, outcome] of told) {
        const count = kept.filter((one) => one === text).length
        if (outcome === 'done') assert.equal(count, 1, `${text} was acknowledged`)
        else if (outcome === 'no') assert.equal(count, 0, `${text} was said not to be applied`)
        else assert.ok(count <= 1, `${text} was applied ${count} times`)
      }
      if (!(await worksAgain(store, 'after all that'))) throw new NotInTime('the store does not work again')
    },
  },
]

async function writeAtOnce(store: FullStore): Promise<Map<string, Awaited<ReturnType<typeof outcomeOf>>>> {
  const told = new Map<string, Awaited<ReturnType<typeof outcomeOf>>>()
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; turn < 30; turn++) {
        const content = `${writer}.${turn}`
        told.set(content, await outcomeOf(store.addMessages('s', [{ role: 'user', content }]), content))
      }
    }),
  )
  return told
}
