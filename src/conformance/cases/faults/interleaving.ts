import assert from 'node:assert/strict'
import type { SessionCopy } from '../../../core/backend.ts'
import type { CaseContext } from '../../case.ts'
import { isSame, same } from '../helpers/same.ts'
import type { WrittenCase } from '../written-case.ts'
import { interruptions, type PairedOperation, pairedOperations } from './helpers/paired-operations.ts'
import { begin, look, makeCopy, openPair, outcomeOf, type PausingPair } from './helpers/pausing-pair.ts'
import { severalAtOnce } from './helpers/several-at-once.ts'

const atOnce = 4

/** Each operation is interrupted by each other, before each of its calls to the backend but the first, or before its only one. */
export const interleaving: WrittenCase[] = pairedOperations.map((operation) => ({
  id: `interleaving.1/${operation.name}-interrupted`,
  clause: 'interleaving.1',
  level: 'faults',
  needs: ['versions', 'codes', 'faults'],
  title: `${operation.name}, interrupted anywhere by any operation, has the same outcome as one of the two orders`,
  run: (context) => interruptedByAll(operation, context),
}))

async function interruptedByAll(operation: PairedOperation, context: CaseContext): Promise<void> {
  const copy = await makeCopy(context.store)
  const pairs = await Promise.all(Array.from({ length: atOnce }, () => openPair(context, context.store)))
  const calls = await countCalls(operation, pairs[0] as PausingPair, copy)
  await severalAtOnce(interruptions, atOnce, async (other) => {
    const pair = pairs.pop() ?? assert.fail('as many pairs as work at once')
    await new Interruption(pair, copy, operation, other).everywhere(calls)
    pairs.push(pair)
  })
}

async function countCalls({ act, sweeps }: PairedOperation, pair: PausingPair, copy: SessionCopy): Promise<number> {
  const session = await begin(pair.sound, copy, 'uninterrupted', sweeps)
  return pair.countCalls(() => act(pair.store, session, 'a'))
}

/** What two operations returned, and what they left. */
interface Left {
  readonly a: unknown
  readonly b: unknown
  readonly state: unknown
}

class Interruption {
  readonly #pair: PausingPair
  readonly #copy: SessionCopy
  readonly #a: PairedOperation
  readonly #b: PairedOperation

  constructor(pair: PausingPair, copy: SessionCopy, a: PairedOperation, b: PairedOperation) {
    this.#pair = pair
    this.#copy = copy
    this.#a = a
    this.#b = b
  }

  async everywhere(calls: number): Promise<void> {
    const orders = [await this.#inOrder('a then b'), await this.#inOrder('b then a')]
    for (let call = Math.min(2, calls); call <= calls; call++) {
      const left = await this.#interrupted(call)
      if (orders.some((order) => isSame(left, order))) continue
      const about = `${this.#a.name} (a), interrupted before call ${call} by ${this.#b.name} (b), is neither a then b nor b then a`
      for (const order of orders) same(left, order, about)
    }
  }

  async #inOrder(order: 'a then b' | 'b then a'): Promise<Left> {
    const session = await this.#begin(order)
    if (order === 'a then b')
      return { a: await this.#actA(session), b: await this.#actB(session), state: await this.#look(session) }
    const b = await this.#actB(session)
    return { a: await this.#actA(session), b, state: await this.#look(session) }
  }

  async #interrupted(call: number): Promise<Left> {
    const { store, sound, pauseAt } = this.#pair
    const session = await this.#begin(`interrupted before call ${call}`)
    let b: unknown
    const a = await pauseAt(
      call,
      () => this.#actA(session),
      async () => {
        b = await this.#actB(session)
      },
    )
    const about = `${this.#a.name} and ${this.#b.name}`
    const entries = await sound.getEntries(session)
    same(await store.getEntries(session), entries, `${about}: both handles read the same`)
    same(new Set(entries.map(({ seq }) => seq)).size, entries.length, `${about}: no seq is there twice`)
    same((await sound.verify(session)).damage, [], `${about}: nothing is damaged`)
    return { a, b, state: await this.#look(session) }
  }

  #actA(session: string): Promise<unknown> {
    return outcomeOf(this.#a.act(this.#pair.store, session, 'a'))
  }

  #actB(session: string): Promise<unknown> {
    return outcomeOf(this.#b.act(this.#pair.sound, session, 'b'))
  }

  #look(session: string): Promise<unknown> {
    const made = [this.#a.makes?.(session, 'a'), this.#b.makes?.(session, 'b')]
    return look(this.#pair.sound, [session, ...made.filter((id) => id !== undefined)])
  }

  #begin(run: string): Promise<string> {
    const sweeps = this.#a.sweeps ?? this.#b.sweeps
    return begin(this.#pair.sound, this.#copy, `${this.#a.name} and ${this.#b.name}, ${run}`, sweeps)
  }
}
