import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { finish, startChild } from '../support/child.ts'
import type { Target } from './children/open-target.ts'

interface Turn {
  readonly session: string
  readonly content: string
  readonly acknowledged: boolean
}

/**
 * Eight writers in a process of their own while `fire` hurts the server. `nextTurn` waits for a turn that is acknowledged. The process must end by
 * itself, with every acknowledged turn there once, and no other more than once.
 */
export async function writeUnderFire(
  target: Target,
  fire: (nextTurn: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const sessions = Array.from({ length: 8 }, () => randomUUID())
  const child = startChild(new URL('./children/write-on.ts', import.meta.url), { target, sessions })
  const ended = finish<Turn | 'ready'>(child)
  const nextMessage = () => Promise.race([once(child, 'message'), ended.then(fail)])
  const nextTurn = async () => {
    for (;;) {
      const [message] = (await nextMessage()) as [Turn | 'ready']
      if (message !== 'ready' && message.acknowledged) return
    }
  }
  await nextMessage()
  await fire(nextTurn)
  await nextTurn()
  child.send('stop')
  const { messages, code } = await ended
  expect(code).toBe(0)
  const turns = messages.filter((message) => message !== 'ready')
  await using memory = await openMemory(target.url)
  for (const session of sessions) {
    const tried = turns.filter((turn) => turn.session === session)
    const there = (await memory.getHistory(session)).map(({ content }) => String(content))
    const acknowledged = tried.filter((turn) => turn.acknowledged).map(({ content }) => content)
    expect(new Set(there).size).toBe(there.length)
    expect(without(acknowledged, there)).toEqual([])
    expect(
      without(
        there,
        tried.map(({ content }) => content),
      ),
    ).toEqual([])
  }
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return some.filter((one) => !known.has(one))
}

function fail({ code }: { code: number | null }): never {
  throw new Error(`the process of the writers ended with ${code}`)
}
