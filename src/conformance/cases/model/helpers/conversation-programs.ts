import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { FullStore } from '../../../case.ts'
import { same } from '../../helpers/same.ts'
import { texts } from '../../helpers/samples.ts'
import type { Handles, ProgramCheck } from './check-programs.ts'

/** One step on one of a few conversations, through one of two handles. */
type Step = { readonly session: number; readonly handle: number } & (
  | { readonly do: 'add' | 'trim'; readonly count: number }
  | { readonly do: 'clear' | 'save' | 'reopen' }
  | { readonly do: 'roll back'; readonly pick: number }
)

const where = { session: fc.nat(2), handle: fc.nat(1) }
const add = fc.record({ ...where, do: fc.constant('add' as const), count: fc.integer({ min: 1, max: 9 }) })
const trim = fc.record({ ...where, do: fc.constant('trim' as const), count: fc.integer({ min: 1, max: 12 }) })
const clear = fc.record({ ...where, do: fc.constant('clear' as const) })
const save = fc.record({ ...where, do: fc.constant('save' as const) })
const rollBack = fc.record({ ...where, do: fc.constant('roll back' as const), pick: fc.nat(100) })
const reopen = fc.record({ ...where, do: fc.constant('reopen' as const) })

const plain = [
  { weight: 6, arbitrary: add },
  { weight: 2, arbitrary: trim },
  { weight: 1, arbitrary: clear },
]
const withSnapshots = [...plain, { weight: 3, arbitrary: save }, { weight: 4, arbitrary: rollBack }]

/** Adding, trimming and clearing. */
export const conversations: ProgramCheck<Step> = programsOf(fc.oneof(...plain), 40)
/** With snapshots and rollbacks as well. */
export const conversationsWithSnapshots: ProgramCheck<Step> = programsOf(fc.oneof(...withSnapshots), 40)
/** And every handle closed and opened again on the way. */
export const reopenedConversations: ProgramCheck<Step> = programsOf(
  fc.oneof(...plain, { weight: 2, arbitrary: reopen }),
  25,
)

function programsOf(steps: fc.Arbitrary<Step>, programs: number): ProgramCheck<Step> {
  return { steps, programs, maxLength: 30, run }
}

/** What the conversations must hold, and what each snapshot held. */
interface Expected {
  readonly said: string[]
  readonly saved: { id: string; said: readonly string[] }[]
}

async function run(steps: readonly Step[], { open, again, close }: Handles): Promise<void> {
  const opened = await open()
  let handles = [opened, await again(opened)]
  const first = () => handles[0] ?? opened
  const expected: Expected[] = [0, 1, 2].map(() => ({ said: [], saved: [] }))
  for (const [index, step] of steps.entries()) {
    const store = handles[step.handle]
    const conversation = expected[step.session]
    assert.ok(store && conversation, 'every step has its handle and its conversation')
    if (step.do === 'reopen') {
      for (const handle of handles) await close(handle)
      const next = await again(store)
      handles = [next, await again(next)]
    } else await apply(step, index, store, conversation)
    for (const handle of handles) await compare(handle, step.session, conversation)
  }
  for (const [session, conversation] of expected.entries()) await compare(first(), session, conversation)
  for (const handle of handles) await close(handle)
}

async function compare(store: FullStore, session: number, { said }: Expected): Promise<void> {
  same(texts(await store.getHistory(`s${session}`)), said, `what s${session} reads`)
}

async function apply(step: Step, index: number, store: FullStore, { said, saved }: Expected): Promise<void> {
  const session = `s${step.session}`
  switch (step.do) {
    case 'add': {
      const more = sayings(index, step.count)
      await store.addMessages(
        session,
        more.map((content) => ({ role: 'user', content })),
      )
      return void said.push(...more)
    }
    case 'trim':
      await store.trim(session, { maxEntries: step.count })
      return void said.splice(0, Math.max(0, said.length - step.count))
    case 'clear':
      await store.clear(session)
      return void said.splice(0)
    case 'save':
      return void saved.push({ id: (await store.saveSnapshot(session)).id, said: [...said] })
    case 'roll back': {
      const target = saved[step.pick % saved.length]
      if (target === undefined) return
      await store.rollbackToSnapshot(session, target.id)
      said.splice(0, said.length, ...target.said)
    }
  }
}

const sayings = (index: number, count: number) => Array.from({ length: count }, (_, number) => `${index}.${number}`)
