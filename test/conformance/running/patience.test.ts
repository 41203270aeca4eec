import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Case, FullStore } from '../../../src/conformance/case.ts'
import { failureOf, outcomeOf } from '../../../src/conformance/cases/faults/helpers/outcome-of.ts'
import { untilFired } from '../../../src/conformance/cases/faults/helpers/until-fired.ts'
import { worksAgain } from '../../../src/conformance/cases/faults/helpers/works-again.ts'
import { deadlineOfCase, inTime, NotInTime } from '../../../src/conformance/cases/helpers/patience.ts'
import { runCase } from '../../../src/conformance/running/child/run-case.ts'
import type { OpenRequest } from '../../../src/conformance/store-definition.ts'
import { after } from '../../../src/plain/after.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Longer than a case with the deadline that cases have by default would wait for anything. */
const veryLong = 30_000
const place = { definition: { name: 'none', open: () => ({}) }, module: null }

/** What a helper comes to in a case with that deadline, on a store that takes half a minute for everything. */
async function settled<T>(deadline: number, work: () => Promise<T>): Promise<T | unknown> {
  const ended = deadlineOfCase.run(deadline, work).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(20 * veryLong)
  return ended
}

/** Refuses every call for the first half minute. */
function backLater(): FullStore {
  let isBack = false
  void after(veryLong).promise.then(() => {
    isBack = true
  })
  const addMessages = () => (isBack ? Promise.resolve() : Promise.reject(new Error('not yet')))
  return { addMessages } as unknown as FullStore
}

test('what takes long is waited for if the deadline of the case allows it', async () => {
  const long = 10 * veryLong
  const done = () => after(veryLong).promise
  expect(await settled(long, () => outcomeOf(done(), 'a slow call'))).toBe('done')
  expect(await settled(long, () => failureOf(done(), 'a slow call'))).toBe(null)
  expect(
    await settled(long, () =>
      inTime(
        done().then(() => 'ended'),
        'the end of a process',
      ),
    ),
  ).toBe('ended')
  expect(await settled(long, () => worksAgain(backLater(), 'a slow store'))).toBe(true)
})

test('what is not there by the deadline of the case is not in time, and breaks no clause', async () => {
  const short = 1000
  expect(await settled(short, () => outcomeOf(after(veryLong).promise, 'a slow call'))).toBeInstanceOf(NotInTime)
  expect(await settled(short, () => worksAgain(backLater(), 'a slow store'))).toBe(false)
  const neverBack = async () => ({ backend: { pending: [] } as never, about: 'a slow store', isBack: false })
  expect(await settled(short, () => untilFired(neverBack))).toBeInstanceOf(NotInTime)
})

test('a case that says so is not finished, and a longer deadline is suggested', async () => {
  vi.useRealTimers()
  const message = 'the call did not end'
  const one: Case = {
    id: 'faults.2/x',
    clause: 'faults.2',
    level: 'faults',
    needs: [],
    title: '',
    run: () => inTime(new Promise<void>(() => {}), message),
  }
  const failure = await runCase(one, place, { seed: 1, deadline: 300 })
  expect(failure).toMatchObject({ kind: 'hung', message, suggestedDeadline: 10_000 })
})

test('behind a proxy only the store under proof has a short timeout: the sound one has as long as the case waits', async () => {
  vi.useRealTimers()
  const timeouts: (number | undefined)[] = []
  const open = ({ timeout }: OpenRequest) => {
    timeouts.push(timeout)
    return {}
  }
  const endpoint = { host: '127.0.0.1', port: 1, protocol: 'redis' } as const
  const one: Case = {
    id: 'faults.1/x',
    clause: 'faults.1',
    level: 'faults',
    needs: ['endpoint'],
    title: '',
    run: async ({ throughProxy }) => void (await throughProxy({ timeout: 300 })),
  }
  const definition = { name: 'on a server', endpoint, open }
  expect(await runCase(one, { definition, module: null }, { seed: 1, deadline: 100_000 })).toBe(null)
  expect(timeouts).toEqual([undefined, 40_000, 300])
})
