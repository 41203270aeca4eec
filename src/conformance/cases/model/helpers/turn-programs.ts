import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { FullStore } from '../../../case.ts'
import { same } from '../../helpers/same.ts'
import type { Handles, ProgramCheck } from './check-programs.ts'
import { ModelSession } from './model-session.ts'

/** One step of a program. Numbers pick among what there is. */
type Step =
  | { do: 'add' | 'turn' | 'late' | 'save' | 'clear' | 'sweep' | 'delete' | 'abort'; count: number }
  | { do: 'named' | 'namedInTurn'; count: number }
  | { do: 'repeat' | 'rewind' | 'rollBack'; pick: number }
  | { do: 'reopen' }

const count = fc.integer({ min: 1, max: 3 })
const pick = fc.nat(1000)

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constantFrom('add', 'turn', 'named', 'namedInTurn', 'namedInTurn'), count }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('late', 'save', 'abort'), count }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('clear', 'sweep', 'sweep', 'delete'), count }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constantFrom('repeat', 'rewind', 'rollBack'), pick }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' }) },
)

/** Turns, named operations and signals, between what removes their entries. */
export const turnsAndOperations: ProgramCheck<Step> = { steps, programs: 30, maxLength: 30, run }

interface NamedOperation {
  readonly id: string
  readonly texts: readonly string[]
  readonly seqs: readonly number[]
  /** Its session was deleted since. */
  isOver: boolean
}

interface Run {
  store: FullStore
  model: ModelSession
  readonly operations: NamedOperation[]
}

async function run(program: readonly Step[], { open, again, close }: Handles): Promise<void> {
  const running: Run = { store: await open(), model: new ModelSession(), operations: [] }
  for (const [index, step] of program.entries()) {
    if (step.do === 'reopen') {
      const { store } = running
      running.store = await again(store)
      await close(store)
    } else await runStep(step, running, `text ${index}`)
    await compare(running)
  }
  same((await running.store.verify()).ok, true, 'verify finds nothing wrong')
  await close(running.store)
}

async function runStep(step: Exclude<Step, { do: 'reopen' }>, running: Run, text: string): Promise<void> {
  const { store, model, operations } = running
  const texts = 'count' in step ? Array.from({ length: step.count }, (_, index) => `${text}.${index}`) : []
  const messages = asMessages(texts)
  const append = () => {
    for (const each of texts) model.append('turn', each)
  }
  switch (step.do) {
    case 'add':
      await store.addMessages('s', messages)
      return append()
    case 'turn':
      await store.withTurn('s', async (turn) => {
        for (const [index, message] of messages.entries()) {
          await turn.addMessages([message])
          model.append('turn', texts[index] ?? '')
        }
        same(textsOf(await turn.getHistory()), modelTexts(model), 'the turn reads what it wrote')
      })
      return
    case 'late': {
      const over = await store.withTurn('s', async (turn) => ({ turn }))
      return assert.rejects(over.turn.addMessages(messages), { code: 'TURN_LOST' })
    }
    case 'named':
    case 'namedInTurn': {
      const options = { operationId: text }
      const { seqs } =
        step.do === 'named'
          ? await store.addMessages('s', messages, options)
          : await store.withTurn('s', (turn) => turn.addMessages(messages, options))
      operations.push({ id: text, texts, seqs, isOver: false })
      return append()
    }
    case 'repeat': {
      const known = choose(operations, step.pick)
      if (known === undefined) return
      const { seqs } = await store.addMessages('s', asMessages(known.texts), { operationId: known.id })
      return same(seqs, known.seqs, 'a repeated operation has the first result')
    }
    case 'abort':
      return abort(store)
    case 'save':
      return model.save((await store.saveSnapshot('s')).id)
    case 'clear':
      await store.clear('s')
      model.entries = []
      return
    case 'sweep':
      await store.sweep('s')
      return
    case 'delete':
      await store.deleteSession('s')
      for (const operation of operations) operation.isOver = true
      running.model = new ModelSession()
      return
    case 'rewind': {
      const target = choose(model.entries, step.pick)
      if (target === undefined) return
      await store.rewind('s', { to: target.seq })
      model.entries = model.split(target.seq)[0]
      return
    }
    case 'rollBack': {
      const target = choose(model.snapshots, step.pick)
      if (target) model.rollBack(target.id, (await store.rollbackToSnapshot('s', target.id)).leftBehind)
    }
  }
}

/** Whatever has aborted rejects with the reason, and a turn does not begin. */
async function abort(store: FullStore): Promise<void> {
  const reason = new Error('the user left')
  const signal = AbortSignal.abort(reason)
  const isReason = (error: unknown) => error === reason
  await assert.rejects(store.getHistory('s', { signal }), isReason)
  await assert.rejects(store.compact('s', { keep: 0, summarize: () => 'never', signal }), isReason)
  const turn = store.withTurn('s', (held) => held.addMessages(asMessages(['never'])), { signal })
  await assert.rejects(turn, isReason)
}

async function compare({ store, model, operations }: Run): Promise<void> {
  same(textsOf(await store.getHistory('s')), modelTexts(model))
  const kept = new Set([model, ...model.snapshots].flatMap(({ entries }) => entries.map(({ seq }) => seq)))
  for (const { id, texts, seqs, isOver } of operations.slice(-6)) {
    const isKept = !isOver && seqs.every((seq) => kept.has(seq))
    try {
      const result = await store.operation('s', id)
      assert.ok(!isOver && result !== null, `the result of ${id}, whose session is gone`)
      same(result.seqs, seqs)
      same(
        result.entries.map((entry) => entry.kind === 'message' && entry.message.content),
        texts,
      )
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'RESULT_GONE'
      if (!isGone || isKept) throw error
    }
  }
}

function asMessages(texts: readonly string[]) {
  return texts.map((content) => ({ role: 'user' as const, content }))
}

function textsOf(history: readonly { readonly content?: unknown }[]): unknown[] {
  return history.map(({ content }) => content)
}

function modelTexts({ entries }: ModelSession): string[] {
  return entries.map(({ text }) => text)
}

function choose<T>(items: readonly T[], picked: number): T | undefined {
  return items.length === 0 ? undefined : items[picked % items.length]
}
