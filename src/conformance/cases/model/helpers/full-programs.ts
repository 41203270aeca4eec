import fc from 'fast-check'
import type { Entry, EntryInput } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import { same } from '../../helpers/same.ts'
import type { Handles, ProgramCheck } from './check-programs.ts'
import { isHistory, type ModelDetails, type ModelEntry, ModelSession } from './model-session.ts'

/** One step of a program. Numbers pick a session, a snapshot or a seq among those there are, whatever their count. */
export type Step =
  | { do: 'add'; session: number; kinds: ('system' | 'turn' | 'answer')[]; owner: number }
  | { do: 'record' | 'summarize' | 'save' | 'clear' | 'delete' | 'sweep'; session: number }
  | { do: 'addEntries'; session: number; kinds: ('turn' | 'record' | 'toolCall' | 'standIn')[] }
  | { do: 'rollBack' | 'deleteSnapshot' | 'fork' | 'forkTo'; session: number; pick: number }
  | { do: 'rewind'; session: number; pick: number }
  | { do: 'edit'; session: number; pick: number; count: number; isSaved: boolean }
  | { do: 'trim'; session: number; count: number; keepSystem: boolean; cutRecords: boolean; fromUser: boolean }
  | { do: 'describe'; session: number; details: ModelDetails }
  | { do: 'compact'; session: number; count: number }
  | { do: 'reopen' }

const roles = { system: 'system', turn: 'user', answer: 'assistant' }
const session = fc.nat(1)
const pick = fc.nat(1000)
const owners = ['ann', 'bob']

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
      owner: fc.nat(2),
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
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('addEntries' as const),
      session,
      kinds: fc.array(
        fc.constantFrom('turn' as const, 'record' as const, 'record' as const, 'toolCall' as const, 'standIn' as const),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('deleteSnapshot' as const, 'fork' as const, 'forkTo' as const),
      session,
      pick,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      session,
      pick,
      count: fc.nat(2),
      isSaved: fc.boolean(),
    }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('rewind' as const), session, pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('trim' as const),
      session,
      count: fc.integer({ min: 1, max: 8 }),
      keepSystem: fc.boolean(),
      cutRecords: fc.boolean(),
      fromUser: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('compact' as const), session, count: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('describe' as const),
      session,
      details: fc.oneof(
        fc.record({ owner: fc.constantFrom(...owners, null) }),
        fc.record({ title: fc.constantFrom('x', 'y', null) }),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'reopen' as const }) },
)

/** Everything a whole memory can do, on two sessions and their forks. */
export const everything: ProgramCheck<Step> = { steps, programs: 45, maxLength: 40, run }

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
    for (const owner of owners) await compareOwned(store, owner, models)
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
    case 'add': {
      const owner = owners[step.owner]
      await store.addMessages(
        id,
        step.kinds.map((kind, index) => ({ role: roles[kind], content: `${text}.${index}` })),
        owner === undefined ? {} : { owner },
      )
      model.begin(owner === undefined ? {} : { owner })
      return step.kinds.forEach((kind, index) => {
        model.append(kind, `${text}.${index}`)
      })
    }
    case 'addEntries': {
      const texts = step.kinds.map((_, index) => `${text}.${index}`)
      await store.addEntries(
        id,
        step.kinds.map((kind, index) => inputOf(kind, texts[index] ?? '')),
      )
      return step.kinds.forEach((kind, index) => {
        model.append(kind, texts[index] ?? '')
      })
    }
    case 'describe':
      if (model.details === null) return
      await store.describe(id, step.details)
      model.details = { ...model.details, ...step.details }
      return
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
      copy.details = model.details
      for (const entry of target.entries) copy.append(entry.kind, entry.text)
      return
    }
    case 'forkTo': {
      const target = choose(model.entries, step.pick)
      if (!target) return
      const fork = `${text} forked`
      await store.fork(id, fork, { to: target.seq })
      const copy = modelOf(fork)
      copy.details = model.details
      for (const entry of model.split(target.seq)[0]) copy.append(entry.kind, entry.text)
      return
    }
    case 'rewind': {
      const target = choose(model.entries, step.pick)
      if (!target) return
      const { removed } = await store.rewind(id, { to: target.seq })
      const [kept, cut] = model.split(target.seq)
      same(removed.map(toModel), cut)
      model.entries = kept
      return
    }
    case 'edit':
      return edit(step, id, store, model, text)
    case 'trim': {
      const { count, keepSystem, cutRecords, fromUser } = step
      await store.trim(id, {
        maxEntries: count,
        keepSystem,
        ...(cutRecords && { records: 'cut' }),
        ...(fromUser && { startOn: 'user' }),
      })
      return model.trim(count, { keepSystem, cutRecords, fromUser })
    }
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

/** Replaces the end from an entry on, or everything if there is none. */
async function edit(
  { pick: picked, count, isSaved }: Extract<Step, { do: 'edit' }>,
  id: string,
  store: FullStore,
  model: ModelSession,
  text: string,
): Promise<void> {
  const target = choose(model.entries, picked)
  const added = Array.from({ length: count }, (_, index) => ({
    kind: kindOf(picked + index),
    text: `${text}.${index}`,
  }))
  const place = target ? { before: target.seq } : { to: 0 }
  const end = added.every(({ kind }) => kind === 'turn')
    ? { add: added.map((one) => ({ role: 'user' as const, content: one.text })) }
    : { entries: added.map((one) => inputOf(one.kind, one.text)) }
  const { removed, seqs, snapshot } = await store.rewind(id, { ...place, ...end, snapshot: isSaved })
  if (snapshot !== null) model.save(snapshot.id)
  const index = target ? model.entries.indexOf(target) : 0
  same(removed.map(toModel), model.entries.slice(index))
  model.entries = model.entries.slice(0, index)
  for (const one of added) model.append(one.kind, one.text)
  same(
    model.entries.slice(index).map(({ seq }) => seq),
    seqs,
  )
}

/** What an edit adds: mostly turns. */
function kindOf(picked: number): 'turn' | 'record' | 'toolCall' | 'standIn' {
  return (['turn', 'record', 'turn', 'standIn', 'turn', 'toolCall', 'turn', 'turn'] as const)[picked % 8] ?? 'turn'
}

function inputOf(kind: 'turn' | 'record' | 'toolCall' | 'standIn', text: string): EntryInput {
  if (kind === 'turn') return { kind: 'message', message: { role: 'user', content: text } }
  if (kind === 'toolCall') return { kind, toolCall: { id: text, name: 'tool' } }
  if (kind === 'record') return { kind, record: { type: text } }
  return { kind: 'summary', standsIn: true, summary: { text, embedding: [2, 1] } }
}

async function compareOwned(store: FullStore, owner: string, models: ReadonlyMap<string, ModelSession>): Promise<void> {
  const { sessions } = await store.listSessions({ owner })
  const owned = [...models].filter(([, { details }]) => details?.owner === owner).map(([id]) => id)
  same(new Set(sessions.map(({ id }) => id)), new Set(owned), `the sessions of ${owner}`)
  const times = sessions.map(({ updatedAt }) => updatedAt)
  same(
    times,
    times.toSorted((a, b) => b - a),
    'the last written first',
  )
}

async function compare(store: FullStore, id: string, model: ModelSession): Promise<void> {
  same(await store.sessionInfo(id), model.details)
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
  trimmed.trim(2, { keepSystem: true })
  same(
    (await store.getHistory(id, { maxEntries: 2, keepSystem: true })).map(({ content }) => content),
    trimmed.entries.filter(isHistory).map(({ text }) => text),
  )
  const fromUser = Object.assign(new ModelSession(), { entries: model.entries })
  fromUser.trim(3, { keepSystem: false, fromUser: true })
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
  if (entry.kind === 'record') return { seq, kind: 'record', text: entry.record.type }
  const { role, content } = entry.message
  const kind = role === 'system' ? 'system' : role === 'assistant' ? 'answer' : 'turn'
  return { seq, kind, text: String(content) }
}

function choose<T>(items: readonly T[], pick: number): T | undefined {
  return items.length === 0 ? undefined : items[pick % items.length]
}
