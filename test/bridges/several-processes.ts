import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { openMemory } from 'unforget'
import { expect } from 'vitest'
import { finish, startChild } from '../support/child.ts'
import { type Bridge, textsOf } from './bridges.ts'
import { endOf, numberOfEnd } from './ends.ts'

/** Two processes add turns to one conversation at once: each turn is there, whole and once. */
export async function twoProcessesTakeTurns(bridge: Bridge, url: string, turns: number): Promise<void> {
  const id = randomUUID()
  const children = [1, 2].map((worker) =>
    startChild(new URL('./children/take-turns.ts', import.meta.url), { url, bridge: bridge.name, id, worker, turns }),
  )
  const ends = children.map((child) => finish(child))
  await Promise.all(children.map((child) => once(child, 'message')))
  for (const child of children) child.send('begin')
  for (const { code } of await Promise.all(ends)) expect(code).toBe(0)
  const memory = await openMemory(url)
  const texts = await textsOf(bridge, memory, id)
  const questions = texts.filter((_, index) => index % 2 === 0)
  for (const [index, question] of questions.entries()) {
    expect(texts[2 * index + 1]).toBe(question.replace('question', 'answer'))
  }
  for (const worker of [1, 2]) {
    const own = questions.filter((question) => question.startsWith(`question ${worker}.`))
    expect(own).toEqual(Array.from({ length: turns }, (_, turn) => `question ${worker}.${turn}`))
  }
  expect(questions).toHaveLength(2 * turns)
  expect(await memory.verify(id)).toMatchObject({ ok: true })
  await memory.close()
}

/** Processes are killed while they replace the end of a conversation: it has the old end or the new one, never less than was acknowledged. */
export async function killedWhileReplacing(bridge: Bridge, url: string, times: number): Promise<void> {
  const id = randomUUID()
  const memory = await openMemory(url)
  await bridge.addTurn(memory, id, '0')
  await bridge.replaceEnd?.(memory, id, [], endOf(0))
  for (let kill = 1; kill <= times; kill++) {
    const child = startChild(new URL('./children/replace-ends.ts', import.meta.url), { url, bridge: bridge.name, id })
    let acknowledged = 0
    child.on('message', (end: number) => {
      acknowledged = end
      if (end % 7 === kill % 7) child.kill('SIGKILL')
    })
    const [, signal] = await once(child, 'close')
    expect(signal).toBe('SIGKILL')
    expect(await numberOfEnd(bridge, memory, id)).toBeGreaterThanOrEqual(acknowledged)
    expect(await memory.verify(id)).toMatchObject({ ok: true })
  }
  await memory.close()
}
