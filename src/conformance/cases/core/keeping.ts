import assert from 'node:assert/strict'
import type { ChatMessage } from '../../../core/entries.ts'
import { fakeClock } from '../helpers/fake-clock.ts'
import { same } from '../helpers/same.ts'
import { texts, toolCall, toolResult, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const core = { level: 'core' } as const

export const keeping: WrittenCase[] = [
  {
    ...core,
    id: 'adding.2/every-role-in-order',
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
        ...turns(1, 3),
        ...turns(1, 5),
      ]
      for (const [index, message] of given.slice(0, 20).entries()) {
        await store.addMessages('s', [message])
        same(await store.getHistory('s'), given.slice(0, index + 1), `after turn ${index + 1}`)
      }
      await store.addMessages('s', given.slice(20, 33))
      await store.addMessages('s', given.slice(33))
      same(await store.getHistory('s'), given)
      const repeated = [...turns(1), ...turns(1), ...turns(2)]
      await store.addMessages('s', repeated.slice(0, 1))
      await store.addMessages('s', repeated.slice(1, 2))
      await store.addMessages('s', repeated.slice(2))
      same(await store.getHistory('s'), [...given, ...repeated], 'a turn that was said before is a turn too')
    },
  },
  {
    ...core,
    id: 'adding.2/the-clock-steps-back',
    clause: 'adding.2',
    title: 'order is kept within a millisecond and when the clock steps back',
    async run({ store }) {
      const frozen = Date.now()
      const clock = fakeClock()
      const added: ChatMessage[] = []
      const add = async (time: number) => {
        clock.set(time)
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
        clock.set(frozen + 400 * 86_400_000)
        same(texts(await store.getHistory('s')), texts(added), 'a year later')
      } finally {
        clock.restore()
      }
      same(texts(await store.getHistory('s')), texts(added))
    },
  },
  {
    ...core,
    id: 'adding.1/long-batches',
    clause: 'adding.1',
    title: 'batches of 1 to 2,500 turns, 10,000 in total, are kept whole, and no reader sees part of one',
    async run({ store, again }) {
      const other = await again()
      const sizes = [120, 1001, 1, 2, 2500, 64, 99, 100, 101, 128, 199, 200, 201, 255, 256, 257, 499, 500, 501, 512]
      let length = 0
      for (const size of [...sizes, 999, 1000, 1023, 1024]) {
        const seen = new Set<number>()
        let adding = true
        const read = async () => {
          while (adding && length < 3000 && size >= 120 && seen.size < 3) seen.add((await other.getHistory('s')).length)
        }
        const added = store.addMessages('s', turns(size, length + 1)).finally(() => {
          adding = false
        })
        await Promise.all([added, read()])
        for (const one of seen) assert.ok([0, size].includes(one - length), `a reader saw ${one - length} of ${size}`)
        length += size
        if (length < 3000) same(await store.getHistory('s'), turns(length), `after a batch of ${size}`)
      }
      same(await store.getHistory('s'), turns(length))
      same(texts(await (await again()).getHistory('s')), texts(turns(length)))
    },
  },
  {
    ...core,
    id: 'history.1/no-hidden-limit',
    clause: 'history.1',
    title: 'a history growing to 1,536 turns is returned completely at every length, oldest first',
    async run({ store }) {
      const rich = turns(1536).map((turn, index) => ({ ...turn, metadata: { number: index + 1 } }))
      let length = 0
      for (const next of [1, 2, 3, 5, 9, 10, 11, 19, 20, 21, 25, 31, 32, 33, 49, 50, 51, 63, 64, 65, 99, 100, 101]) {
        await store.addMessages('s', rich.slice(length, next))
        same(await store.getHistory('s'), rich.slice(0, next), `a history of ${next} turns`)
        length = next
      }
      for (const next of [127, 128, 129, 199, 200, 201, 255, 256, 257, 499, 500, 501, 512, 999, 1000, 1001, 1024]) {
        await store.addMessages('s', rich.slice(length, next))
        same((await store.getHistory('s')).length, next, `a history of ${next} turns`)
        length = next
      }
      for (; length < 1536; length += 32) await store.addMessages('s', rich.slice(length, length + 32))
      same(await store.getHistory('s'), rich)
      await store.addMessages('t', turns(11))
      same(await store.getHistory('t'), turns(11))
    },
  },
  {
    ...core,
    id: 'history.5/an-unknown-session-is-empty',
    clause: 'history.5',
    title: 'an unknown session reads as an empty list',
    async run({ store, open }) {
      const empty = await store.getHistory('nobody')
      same(empty, [])
      if (!Object.isFrozen(empty)) empty.push(...turns(1))
      same(await store.getHistory('nobody'), [], 'what was put into an empty list is in no memory')
      same(await store.getHistory('nobody else'), [])
      await store.addMessages('somebody', turns(2))
      same(await store.getHistory('nobody'), [])
      same(await store.getHistory('somebody'), turns(2))
      await store.addMessages('nobody', turns(3))
      same(await store.getHistory('nobody'), turns(3), 'a session that was read before it began')
      same(await store.getHistory('nobody else'), [])
      const elsewhere = await open()
      same(await elsewhere.getHistory('somebody'), [], 'a session of another memory')
      await elsewhere.addMessages('somebody', turns(1, 9))
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
    id: 'adding.4/given-and-returned-copies',
    clause: 'adding.4',
    title: 'changing what was passed in or returned does not change the memory',
    async run({ store, again }) {
      const given: ChatMessage = {
        role: 'assistant',
        content: [{ type: 'text', text: 'a' }],
        toolCalls: [{ id: 'c', name: 'n', arguments: { n: 1 } }],
        metadata: { deep: { n: 1 } },
      }
      const batch = [given, ...turns(2), structuredClone(given)]
      const all = structuredClone(batch)
      const adding = store.addMessages('s', batch)
      change(batch)
      await adding
      same(await store.getHistory('s'), all, 'what was given is a copy while it is written')
      change(batch)
      same(await store.getHistory('s'), all, 'and afterwards')
      for (const handle of [store, await again()]) {
        change(await handle.getHistory('s'))
        same(await handle.getHistory('s'), all, 'what was returned is a copy')
        same(await store.getHistory('s'), all)
      }
      const before = await store.getHistory('s')
      const reused: ChatMessage = { role: 'user', content: '', metadata: { round: 0 } }
      const list = [reused]
      for (let round = 1; round <= 3; round++) {
        Object.assign(reused, { content: `round ${round}`, metadata: { round } })
        await store.addMessages('s', list)
      }
      list.length = 0
      same(before, all, 'what was returned does not change by what is added later')
      const rounds = [1, 2, 3].map((round) => ({ role: 'user', content: `round ${round}`, metadata: { round } }))
      same(await store.getHistory('s'), [...all, ...rounds], 'an object that is used again')
      const kept = structuredClone(all)
      await store.addMessages('t', kept)
      assert.deepEqual(kept, all, 'what was given stays as it was')
      await store.addMessages('t', freeze(kept))
      same(await store.getHistory('t'), [...all, ...all], 'what was given may be frozen')
    },
  },
  {
    ...core,
    id: 'adding.8/another-handle-reads-it',
    clause: 'adding.8',
    title: 'acknowledged turns are visible to every handle at once, and either handle can continue',
    async run({ store, again, close }) {
      const other = await again()
      for (let round = 0; round < 12; round++) {
        const [writer, reader] = round % 4 < 2 ? [store, other] : [other, store]
        await writer.addMessages('s', turns(2, round * 2 + 1))
        same(await reader.getHistory('s'), turns(round * 2 + 2))
      }
      const third = await again()
      same(await third.getHistory('s'), turns(24))
      await close(third)
      same(await store.getHistory('s'), turns(24), 'another handle was closed')
      await close(other)
      await store.addMessages('s', turns(1, 25))
      same(await (await again()).getHistory('s'), turns(25), 'and written to by the one that is left')
    },
  },
]

/** Changes messages and their list at every depth, unless they are frozen. */
function change(list: ChatMessage[]): void {
  for (const message of list) {
    const { metadata, toolCalls, content } = message
    Reflect.set((metadata?.['deep'] ?? {}) as object, 'n', 99)
    Reflect.set((toolCalls?.[0]?.arguments ?? {}) as object, 'n', 99)
    Reflect.set(toolCalls?.[0] ?? {}, 'name', 'changed')
    if (Array.isArray(content)) Reflect.set(content[0] ?? {}, 'text', 'changed')
    Reflect.set(message, 'metadata', { changed: true })
    Reflect.set(message, 'content', 'changed')
    Reflect.set(message, 'added', 'later')
  }
  if (Object.isFrozen(list)) return
  list.push({ role: 'user', content: 'never added' })
  list.reverse()
  list.shift()
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const one of Object.values(value)) freeze(one)
  return Object.freeze(value)
}
