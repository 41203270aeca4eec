import assert from 'node:assert/strict'
import type { ChatMessage } from '../../../core/entries.ts'
import type { Case } from '../../case.ts'
import { same } from '../../same.ts'
import { texts, toolCall, toolResult, turns } from '../../samples.ts'

const core = { level: 'core', needs: ['addMessages', 'getHistory'] } as const

export const keeping: Case[] = [
  {
    ...core,
    id: 'adding.2/turns-of-every-role-in-order',
    clause: 'adding.2',
    title: 'turns of every role come back in the order they were added, one by one and in batches',
    async run({ store }) {
      const given: ChatMessage[] = [
        { role: 'system', content: 'be brief' },
        ...turns(1),
        toolCall('a', 'b'),
        toolResult('b'),
        toolResult('a'),
        { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
        ...turns(30, 7),
        { role: 'system', content: 'be briefer' },
        ...turns(2),
      ]
      for (const message of given.slice(0, 20)) await store.addMessages('s', [message])
      await store.addMessages('s', given.slice(20, 33))
      await store.addMessages('s', given.slice(33))
      same(await store.getHistory('s'), given)
      await store.addMessages('s', turns(1))
      same(await store.getHistory('s'), [...given, ...turns(1)], 'a turn that was said before is a turn too')
    },
  },
  {
    ...core,
    id: 'adding.2/the-clock-steps-back',
    clause: 'adding.2',
    title: 'order is kept within a millisecond and when the clock steps back',
    async run({ store }) {
      const now = Date.now
      const frozen = now()
      const added: ChatMessage[] = []
      const add = async (time: number) => {
        Date.now = () => time
        const more = turns(3, added.length + 1)
        await store.addMessages('s', more.slice(0, 2))
        await store.addMessages('s', more.slice(2))
        added.push(...more)
      }
      try {
        for (let round = 0; round < 8; round++) await add(frozen)
        for (let round = 1; round <= 8; round++) await add(frozen - round * 60_000)
        await add(frozen + 3_600_000)
        await add(frozen)
      } finally {
        Date.now = now
      }
      same(texts(await store.getHistory('s')), texts(added))
    },
  },
  {
    ...core,
    id: 'adding.1/batches-over-100-and-over-1000',
    clause: 'adding.1',
    title: 'batches of 120, 1,001 and 2,500 turns are kept whole',
    async run({ store, again }) {
      await store.addMessages('s', turns(120))
      await store.addMessages('s', turns(1001, 121))
      same(await store.getHistory('s'), turns(1121))
      await store.addMessages('s', turns(2500, 1122))
      same(await store.getHistory('s'), turns(3621))
      same(await (await again()).getHistory('s'), turns(3621))
    },
  },
  {
    ...core,
    id: 'history.1/no-hidden-limit',
    clause: 'history.1',
    title: 'a history that grew to 1,536 turns bit by bit is returned whole, oldest first',
    async run({ store }) {
      for (let count = 1, next = 1; next <= 1536; next += count, count = (count % 31) + 7) {
        await store.addMessages('s', turns(Math.min(count, 1537 - next), next))
      }
      same(await store.getHistory('s'), turns(1536))
      await store.addMessages('t', turns(11))
      same(await store.getHistory('t'), turns(11))
    },
  },
  {
    ...core,
    id: 'history.5/an-unknown-session-is-empty',
    clause: 'history.5',
    title: 'a session that nobody wrote to reads as an empty list',
    async run({ store }) {
      same(await store.getHistory('nobody'), [])
      same(await store.getHistory('nobody'), [])
      await store.addMessages('somebody', turns(2))
      same(await store.getHistory('nobody'), [])
      same(await store.getHistory('somebody'), turns(2))
    },
  },
  {
    ...core,
    id: 'adding.5/nothing-changes-nothing',
    clause: 'adding.5',
    title: 'adding no message changes nothing',
    async run({ store }) {
      await store.addMessages('s', [])
      same(await store.getHistory('s'), [])
      await store.addMessages('s', turns(3))
      await store.addMessages('s', [])
      same(await store.getHistory('s'), turns(3))
      await store.addMessages('s', turns(1, 4))
      same(await store.getHistory('s'), turns(4))
    },
  },
  {
    ...core,
    id: 'adding.4/what-was-given-and-returned-is-a-copy',
    clause: 'adding.4',
    title: 'changing what was given, or what was returned, changes no memory',
    async run({ store }) {
      const given: ChatMessage = {
        role: 'assistant',
        content: [{ type: 'text', text: 'a' }],
        toolCalls: [{ id: 'c', name: 'n', arguments: { n: 1 } }],
        metadata: { deep: { n: 1 } },
      }
      const expected = structuredClone(given)
      const batch = [given, ...turns(1)]
      const adding = store.addMessages('s', batch)
      change(batch, given)
      await adding
      same(await store.getHistory('s'), [expected, ...turns(1)], 'what was given is a copy while it is written')
      change(batch, given)
      same(await store.getHistory('s'), [expected, ...turns(1)], 'and afterwards')
      const returned = await store.getHistory('s')
      const [first] = returned
      assert.ok(first)
      change(returned, first)
      same(await store.getHistory('s'), [expected, ...turns(1)], 'what was returned is a copy')
    },
  },
  {
    ...core,
    id: 'adding.8/another-handle-reads-what-was-acknowledged',
    clause: 'adding.8',
    title: 'what was acknowledged is read by every handle at once, and goes on from either',
    async run({ store, again }) {
      const other = await again()
      for (let round = 0; round < 12; round++) {
        const [writer, reader] = round % 2 === 0 ? [store, other] : [other, store]
        await writer.addMessages('s', turns(2, round * 2 + 1))
        same(await reader.getHistory('s'), turns(round * 2 + 2))
      }
      same(await (await again()).getHistory('s'), turns(24))
    },
  },
]

/** Changes a message and its list at every depth, as far as they let themselves be changed. */
function change(list: ChatMessage[], message: ChatMessage): void {
  Reflect.set((message.metadata?.['deep'] ?? {}) as object, 'n', 99)
  Reflect.set(message.toolCalls?.[0] ?? {}, 'name', 'changed')
  if (Array.isArray(message.content)) Reflect.set(message.content[0] ?? {}, 'text', 'changed')
  Reflect.set(message, 'content', 'changed')
  if (!Object.isFrozen(list)) list.push({ role: 'user', content: 'never added' })
}
