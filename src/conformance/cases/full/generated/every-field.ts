import type { ChatMessage, EntryInput } from '../../../../core/entries.ts'
import { entryKinds } from '../../../../core/entries.ts'
import type { CaseContext, FullStore } from '../../../case.ts'
import type { Capability } from '../../../store-definition.ts'
import { turns } from '../../helpers/samples.ts'
import { withoutExtras } from '../../helpers/without-extras.ts'
import type { WrittenCase } from '../../written-case.ts'
import { requireEntries, requireExactly, sampleEntries, sampleMessages } from './sample-entries.ts'

interface Way {
  readonly needs?: readonly Capability[]
  readonly title: string
  read(context: CaseContext, entries: readonly EntryInput[]): Promise<void>
}

/** Adds what `read` must return; the session has nothing else. */
const add = (store: FullStore, entries: readonly EntryInput[]) => store.addEntries('s', entries)

/** Every way in which an entry can come back. */
const ways: Readonly<Record<string, Way>> = {
  'as-entries': {
    title: 'getEntries, by two handles',
    async read({ store, again }, entries) {
      await add(store, entries)
      for (const handle of [store, await again()]) requireEntries(await handle.getEntries('s'), entries, 'getEntries')
    },
  },
  'written-one-by-one': {
    title: 'getEntries after addMessages, recordToolCall and addSummary',
    async read({ store }, entries) {
      const own = entries.filter(({ kind }) => kind !== 'record')
      for (const entry of own) {
        if (entry.kind === 'message') await store.addMessages('s', [entry.message])
        if (entry.kind === 'toolCall') await store.recordToolCall('s', entry.toolCall)
        if (entry.kind === 'summary') await store.addSummary('s', entry.summary)
      }
      requireEntries(await store.getEntries('s'), own, 'getEntries')
    },
  },
  'by-kind': {
    title: 'getEntries of each kind',
    async read({ store }, entries) {
      await add(store, entries)
      for (const kind of entryKinds) {
        const own = entries.filter((entry) => entry.kind === kind)
        requireEntries(await store.getEntries('s', { kinds: [kind] }), own, `getEntries of ${kind}`)
      }
    },
  },
  'in-pages': {
    needs: ['pages'],
    title: 'pages of getEntries, forward and backward',
    async read({ store }, entries) {
      const { seqs } = await add(store, entries)
      for (const [index, entry] of entries.entries()) {
        const [before, after] = [seqs[index + 1], seqs[index - 1]]
        const forward = after === undefined ? { first: 1 } : { first: 1, after }
        const backward = before === undefined ? { last: 1 } : { last: 1, before }
        requireEntries(await store.getEntries('s', forward), [entry], 'a page forward')
        requireEntries(await store.getEntries('s', backward), [entry], 'a page backward')
      }
    },
  },
  'at-a-snapshot': {
    title: 'getEntries at a snapshot, after the session was cleared',
    async read({ store }, entries) {
      await add(store, entries)
      const { id } = await store.saveSnapshot('s')
      await store.clear('s')
      requireEntries(await store.getEntries('s', { at: id }), entries, 'getEntries at a snapshot')
    },
  },
  'after-a-rollback': {
    title: 'getEntries after a rollback',
    async read({ store }, entries) {
      await add(store, entries)
      const { id } = await store.saveSnapshot('s')
      await store.clear('s')
      await store.rollbackToSnapshot('s', id)
      requireEntries(await store.getEntries('s'), entries, 'getEntries after a rollback')
    },
  },
  'in-a-fork': {
    title: 'getEntries of a fork',
    async read({ store }, entries) {
      await add(store, entries)
      await store.fork('s', 'fork')
      requireEntries(await store.getEntries('fork'), entries, 'getEntries of a fork')
    },
  },
  'in-a-copy': {
    title: 'getEntries of a session that was exported and imported elsewhere',
    async read({ store, open }, entries) {
      await add(store, entries)
      const elsewhere = await open()
      await elsewhere.importSession(await store.exportSession('s'))
      requireEntries(await elsewhere.getEntries('s'), entries, 'getEntries of an imported session')
    },
  },
  'of-an-operation': {
    needs: ['operations'],
    title: 'the entries of an operation',
    async read({ store }, entries) {
      await store.addEntries('s', entries, { operationId: 'o' })
      const result = await store.operation('s', 'o')
      requireEntries(result?.entries ?? [], entries, 'the entries of an operation')
    },
  },
  'cut-by-a-rewind': {
    needs: ['versions'],
    title: 'what a rewind returns',
    async read({ store }, entries) {
      await add(store, entries)
      const { removed } = await store.rewind('s', { to: 0 })
      requireEntries(removed, entries, 'what a rewind cut')
    },
  },
  'added-again': {
    title: 'getEntries of another session, after adding what was read',
    async read({ store }, entries) {
      await add(store, entries)
      await store.addEntries('again', (await store.getEntries('s')).map(withoutExtras))
      requireEntries(await store.getEntries('again'), entries, 'getEntries of what was added again')
    },
  },
  'in-a-turn': {
    needs: ['turns'],
    title: 'getEntries inside the turn that added them',
    async read({ store }, entries) {
      await store.withTurn('s', async (turn) => {
        await turn.addEntries(entries)
        requireEntries(await turn.getEntries(), entries, 'getEntries of a turn')
      })
    },
  },
  'beside-a-cut': {
    title: 'getEntries after a trim and a compaction',
    async read({ store }, entries) {
      const kept = entries.filter(({ kind }) => kind === 'summary' || kind === 'record')
      await add(store, kept)
      await store.addMessages('s', turns(4))
      await store.trim('s', { maxEntries: 2 })
      await store.compact('s', { keep: 1, summarize: () => 'sum' })
      const left = (await store.getEntries('s')).filter(
        (entry) => entry.kind !== 'message' && !(entry.kind === 'summary' && entry.standsIn),
      )
      requireEntries(left, kept, 'getEntries after a trim and a compaction')
    },
  },
  recalled: {
    needs: ['bytes'],
    title: 'recall',
    async read({ store }, entries) {
      const summaries = entries.filter((entry) => entry.kind === 'summary')
      for (const [index, entry] of summaries.entries()) {
        const embedding = Float32Array.of(1, index, 0.1)
        await store.addSummary('s', { ...entry.summary, embedding })
        const [found] = await store.recall('s', embedding, { k: 1 })
        requireExactly([found?.summary ?? {}], [{ ...entry.summary, embedding }], 'recall')
      }
    },
  },
}

/** The ways in which messages come back that other entries do not. */
const waysOfMessages: Readonly<Record<string, Way>> = {
  'as-history': {
    title: 'getHistory, by two handles, whole and by budget',
    needs: ['windows'],
    async read({ store, again }) {
      const messages = await converse(store)
      for (const handle of [store, await again()]) {
        requireExactly(await handle.getHistory('s'), messages, 'getHistory')
        requireExactly(await handle.getHistory('s', { maxEntries: 1000 }), messages, 'getHistory with a budget')
        requireExactly(await handle.getHistory('s', { last: 2 }), messages.slice(-2), 'getHistory of the last two')
      }
    },
  },
  'as-history-later': {
    title: 'getHistory at a snapshot, after a rollback, of a fork and after a trim',
    async read({ store }) {
      const messages = await converse(store)
      const { id } = await store.saveSnapshot('s')
      await store.fork('s', 'fork')
      await store.clear('s')
      requireExactly(await store.getHistory('s', { at: id }), messages, 'getHistory at a snapshot')
      await store.rollbackToSnapshot('s', id)
      await store.trim('s', { maxEntries: 1000 })
      requireExactly(await store.getHistory('s'), messages, 'getHistory after a rollback')
      requireExactly(await store.getHistory('fork'), messages, 'getHistory of a fork')
    },
  },
  'to-be-counted-and-summarized': {
    needs: ['windows'],
    title: 'the messages passed to countTokens and summarize',
    async read({ store }) {
      const messages = await converse(store)
      const counted: ChatMessage[] = []
      await store.getHistory('s', { maxTokens: 1e9, countTokens: (message) => counted.push(message) * 0 })
      requireExactly(inAnyOrder(counted), inAnyOrder(messages), 'what countTokens is given')
      let given: ChatMessage[] = []
      const summarize = (old: ChatMessage[]) => {
        given = old
        return 'sum'
      }
      await store.compact('s', { keep: 0, summarize })
      requireExactly(given, messages, 'what summarize is given')
    },
  },
}

function inAnyOrder(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

/** Adds a message for each field. None is a tool call or result, which a cut must not separate. */
async function converse(store: FullStore): Promise<ChatMessage[]> {
  const messages = sampleMessages().map(({ toolCalls, toolCallId, ...message }) => ({ ...message, calls: toolCalls }))
  await store.addMessages('s', messages)
  return messages.map((message) => JSON.parse(JSON.stringify(message)) as ChatMessage)
}

export const everyField: WrittenCase[] = Object.entries({ ...ways, ...waysOfMessages }).map(([name, way]) => ({
  id: `values.10/every-field-${name}`,
  clause: 'values.10',
  level: 'full',
  needs: [
    'exact',
    ...(name in waysOfMessages ? [] : (['bytes'] as const)),
    ...(way.needs ?? []).filter((need) => need !== 'bytes'),
  ],
  title: `every field of every kind comes back exactly: ${way.title}`,
  run: (context) => way.read(context, sampleEntries(entryKinds)),
}))
