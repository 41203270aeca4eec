import fc from 'fast-check'
import type { Entry } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import { same } from '../../helpers/same.ts'
import type { Handles, ProgramCheck } from './check-programs.ts'
import { isHistory, type ModelEntry, ModelSession } from './model-session.ts'

/** One step of a program. Numbers pick a session, a snapshot or a seq among those there are, whatever their count. */
export type Step =
  | { do: 'add'; session: number; kinds: ('system' | 'turn' | 'answer')[] }
  | { do: 'record' | 'summarize' | 'save' | 'clear' | 'delete' | 'sweep'; session: number }
  | { do: 'rollBack' | 'deleteSnapshot' | 'fork'; session: number; pick: number }
  | { do: 'rewind'; session: number; pick: number }
  | { do: 'trim'; session: number; count: number; keepSystem: boolean; fromUser: boolean }
  | { do: 'compact'; session: number; count: number }
  | { do: 'reopen' }

const roles = { system: 'system', turn: 'user', answer: 'assistant' }
const session = fc.nat(1)
const pick = fc.nat(1000)

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      session,
      kinds: fc.array(fc.constantFrom('system' as const, 'turn' as const, 'answer' as const), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('record' as const, 'summarize' as const, 'save' as const), session }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('clear' as const, 'sweep' as const), session }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), session }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('rollBack' as const), session, pick }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('deleteSnapshot' as const, 'fork' as const), session, pick }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('rewind' as const), session, pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('trim' as const),
      session,
      count: fc.integer({ min: 1, max: 8 }),
      keepSystem: fc.boolean(),
      fromUser: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('compact' as const), session, count: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'reopen' as const }) },
)

/** Everything a whole memory can do, on two sessions and their forks. */
export const everything: ProgramCheck<Step> = { steps, programs: 30, maxLength: 40, run }

/** Runs a program on a store and on plain arrays, and compares after every step. */
async function run(program: readonly Step[], { open, again, close }: Handles): Promise<void> {
  let store = await open()
  const models = new Map<string, ModelSession>()
  const model = (id: string) => models.get(id) ?? models.set(id, new ModelSession()).get(id) ?? new ModelSession()
  for (const [index, step] of program.entries()) {
    if (step.do === 'reopen') {
      const next = await again(store)
      await close(store)
      store = next
    } else await runStep(step, `session ${step.session}`, store, model, `text ${index}`, models)
    for (const [id, expected] of models) await compare(store, id, expected)
  }
  for (const [id, expected] of models) await compareSnapshots(store, id, expected)
  same((await store.verify()).ok, true, 'verify finds nothing wrong')
  await store.sweep()
  for (const [id, expected] of models) await compareSnapshots(store, id, expected)
  await close(store)
}

async function runStep(
  step: Exclude<Step, { do: 'reopen' }>,
  id: string,
  store: FullStore,
  modelOf: (id: string) => ModelSession,
  text: string,
  models: Map<string, ModelSession>,
): Promise<void> {
  const model = modelOf(id)
  switch (step.do) {
    case 'add':
      await store.addMessages(
        id,
        step.kinds.map((kind, index) => ({ role: roles[kind], content: `${text}.${index}` })),
      )
      return step.kinds.forEach((kind, index) => {
        model.append(kind, `${text}.${index}`)
      })
    case 'record':
      await store.recordToolCall(id, { id: text, name: 'tool' })
      return model.append('toolCall', text)
    case 'summarize':
      await store.addSummary(id, { text, embedding: [1, 2] })
      return model.append('summary', text)
    case 'save':
      return model.save((await store.saveSnapshot(id, { label: text })).id)
    case 'clear':
      await store.clear(id)
      model.entries = []
      return
    case 'delete':
      await store.deleteSession(id)
      models.delete(id)
      return
    case 'sweep':
      await store.sweep(id)
      return
    case 'rollBack': {
      const target = choose(model.snapshots, step.pick)
      if (target) model.rollBack(target.id, (await store.rollbackToSnapshot(id, target.id)).leftBehind)
      return
    }
    case 'deleteSnapshot': {
      const target = choose(model.snapshots, step.pick)
      if (!target) return
      await store.deleteSnapshot(id, target.id)
      model.snapshots = model.snapshots.filter((snapshot) => snapshot !== target)
      return
    }
    case 'fork': {
      const target = choose(model.snapshots, step.pick)
      if (!target) return
      const fork = `${text} forked`
      await store.fork(id, fork, { at: target.id })
      const copy = modelOf(fork)
      for (const entry of target.entries) copy.append(entry.kind, entry.text)
      return
    }
    case 'rewind': {
      const target = choose(model.entries, step.pick)
      if (!target) return
      const { removed } = await store.rewind(id, { to: target.seq })
      same(removed.map(toModel), model.rewind(target.seq))
      return
    }
    case 'trim':
      await store.trim(id, {
        maxEntries: step.count,
        keepSystem: step.keepSystem,
        ...(step.fromUser && { startOn: 'user' }),
      })
      return model.trim(step.count, step.keepSystem, step.fromUser)
    case 'compact': {
      let asked: unknown[] = []
      await store.compact(id, {
        keep: step.count,
        summarize: (turns) => {
          asked = turns.map(({ content }) => content)
          return { text, embedding: [2, 1] }
        },
      })
      same(
        asked,
        model.compact(step.count, text).map((entry) => entry.text),
      )
    }
  }
}

async function compare(store: FullStore, id: string, model: ModelSession): Promise<void> {
  same((await store.getEntries(id)).map(toModel), model.entries)
  const history = model.entries.filter(isHistory).map(({ text }) => text)
  same(
    (await store.getHistory(id)).map(({ content }) => content),
    history,
  )
  same(
    (await store.getHistory(id, { last: 3 })).map(({ content }) => content),
    history.slice(-3),
  )
  same(
    (await store.listSnapshots(id)).map((snapshot) => [snapshot.id, snapshot.entries, snapshot.automatic]),
    model.snapshots.map((snapshot) => [snapshot.id, snapshot.entries.length, snapshot.automatic]),
  )
  const trimmed = Object.assign(new ModelSession(), { entries: model.entries })
  trimmed.trim(2, true)
  same(
    (await store.getHistory(id, { maxEntries: 2, keepSystem: true })).map(({ content }) => content),
    trimmed.entries.filter(isHistory).map(({ text }) => text),
  )
  const fromUser = Object.assign(new ModelSession(), { entries: model.entries })
  fromUser.trim(3, false, true)
  same(
    (await store.getHistory(id, { maxEntries: 3, startOn: 'user' })).map(({ content }) => content),
    fromUser.entries.filter(isHistory).map(({ text }) => text),
  )
}

async function compareSnapshots(store: FullStore, id: string, model: ModelSession): Promise<void> {
  await compare(store, id, model)
  for (const snapshot of model.snapshots) {
    same((await store.getEntries(id, { at: snapshot.id })).map(toModel), snapshot.entries)
    const summaries = snapshot.entries.filter(({ kind }) => kind === 'summary' || kind === 'standIn')
    same(
      new Set((await store.recall(id, [1, 1], { at: snapshot.id, k: 1000 })).map(({ seq }) => seq)),
      new Set(summaries.map(({ seq }) => seq)),
    )
  }
}

function toModel(entry: Entry): ModelEntry {
  const { seq } = entry
  if (entry.kind === 'toolCall') return { seq, kind: 'toolCall', text: entry.toolCall.id }
  if (entry.kind === 'summary') return { seq, kind: entry.standsIn ? 'standIn' : 'summary', text: entry.summary.text }
  const { role, content } = entry.message
  const kind = role === 'system' ? 'system' : role === 'assistant' ? 'answer' : 'turn'
  return { seq, kind, text: String(content) }
}

function choose<T>(items: readonly T[], pick: number): T | undefined {
  return items.length === 0 ? undefined : items[pick % items.length]
}
