import { openMemory } from 'unforget'
import { makeRandom } from 'unforget/faults'
import { expect, test } from 'vitest'
import { checkHistory } from '../../chaos/checker/check-history.ts'
import { carryOut } from '../../chaos/workload/carry-out.ts'
import { chooseCall, type Known, learn } from '../../chaos/workload/choose-call.ts'
import { Log, readLogs } from '../../chaos/workload/log.ts'
import { settle } from '../../chaos/workload/settle.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.each([1, 2, 3])('random calls on a real store, many at once, are a sound history: seed %i', async (seed) => {
  const folder = await temporaryFolder()
  const random = makeRandom(seed)
  const log = new Log(folder, 'p')
  await using memory = await openMemory('memory:')
  const known: Known = { version: null, epoch: null, seqs: [], snapshots: [] }
  for (let round = 0; round < 40; round++) {
    await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const id = `${round}.${index}`
        const asked = { id, session: 's', call: chooseCall(random, known, id) }
        const outcome = await log.record(asked, () => carryOut(memory, asked))
        if (outcome.is === 'ok') learn(known, asked.call, outcome.result)
      }),
    )
  }
  expect(readLogs(folder)).toHaveLength(160)
  expect(checkHistory(await settle(memory, folder, ['s']))).toEqual([])
})
