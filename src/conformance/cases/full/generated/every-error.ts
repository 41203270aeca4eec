import assert from 'node:assert/strict'
import type { FullStore } from '../../../case.ts'
import { same } from '../../helpers/same.ts'
import { turns } from '../../helpers/samples.ts'
import type { WrittenCase } from '../../written-case.ts'

const operationId = 'once'

/** Every call that is rejected because of the state of a session, by the error's code, and what the error must name. */
type Rejected = readonly [call: (store: FullStore) => Promise<unknown>, named: Readonly<Record<string, unknown>>]

async function begin(store: FullStore) {
  const { version: old, epoch } = await store.addMessages('s', turns(6), { operationId })
  await store.saveSnapshot('s', { id: 'p' })
  await store.addSummary('s', { text: 'sum', embedding: [1, 2, 3] })
  await store.rewind('s', { to: 3, operationId: 'cut' })
  await store.addSummary('s', { text: 'sum', embedding: [1, 2, 3] })
  for (const { id, automatic } of await store.listSnapshots('s')) if (automatic) await store.deleteSnapshot('s', id)
  await store.deleteSnapshot('s', 'p')
  await store.sweep('s')
  await store.saveSnapshot('s', { id: 'p' })
  await store.addMessages('t', turns(1))
  const info = (await store.sessionInfo('s')) ?? assert.fail('there is no session')
  return { old, epoch, version: info.version }
}

function rejectedAfter({ old, epoch, version }: Awaited<ReturnType<typeof begin>>): Record<string, Rejected[]> {
  const unknown = { session: 's', snapshotId: 'none' }
  const another = { session: 's', operationId }
  const seq = { session: 's', seq: 5, below: 3, above: 8 }
  return {
    SNAPSHOT_NOT_FOUND: [
      [(store) => store.getHistory('s', { at: 'none' }), unknown],
      [(store) => store.getEntries('s', { at: 'none' }), unknown],
      [(store) => store.rollbackToSnapshot('s', 'none'), unknown],
      [(store) => store.recall('s', [1, 2, 3], { at: 'none' }), unknown],
      [(store) => store.fork('s', 'u', { at: 'none' }), unknown],
    ],
    SNAPSHOT_EXISTS: [
      [(store) => store.saveSnapshot('s', { id: 'p' }), { session: 's', snapshotId: 'p' }],
      [(store) => store.rewind('s', { to: 2, snapshot: { id: 'p' } }), { session: 's', snapshotId: 'p' }],
    ],
    VERSION_CONFLICT: [
      [
        (store) => store.addMessages('s', turns(1), { ifVersion: old }),
        { session: 's', subject: 'version', expected: old, actual: version },
      ],
      [
        (store) => store.clear('s', { ifVersion: null }),
        { session: 's', subject: 'version', expected: null, actual: version },
      ],
      [
        (store) => store.addMessages('s', turns(1), { ifEpoch: epoch }),
        { session: 's', subject: 'epoch', expected: epoch },
      ],
    ],
    OPERATION_CONFLICT: [
      [(store) => store.addMessages('s', turns(1, 9), { operationId }), another],
      [(store) => store.trim('s', { maxEntries: 1, operationId }), another],
      [(store) => store.rewind('s', { to: 1, operationId }), another],
    ],
    RESULT_GONE: [
      [(store) => store.rewind('s', { to: 3, operationId: 'cut' }), { session: 's', operationId: 'cut' }],
      [(store) => store.operation('s', operationId), another],
    ],
    SESSION_EXISTS: [[(store) => store.fork('s', 't'), { session: 't' }]],
    SESSION_NOT_FOUND: [
      [(store) => store.fork('none', 'u'), { session: 'none' }],
      [(store) => store.describe('none', { title: 't' }), { session: 'none' }],
      [(store) => store.exportSession('none'), { session: 'none' }],
    ],
    SEQ_NOT_FOUND: [
      [(store) => store.rewind('s', { to: 5 }), seq],
      [(store) => store.rewind('s', { before: 5 }), seq],
      [(store) => store.fork('s', 'u', { to: 5 }), seq],
      [(store) => store.getHistory('s', { before: 5 }), seq],
      [(store) => store.getEntries('s', { after: 5 }), seq],
    ],
    DIMENSION_MISMATCH: [[(store) => store.recall('s', [1, 2]), { expected: 3, actual: 2 }]],
  }
}

export const everyError: WrittenCase[] = [
  {
    id: 'errors.2/every-error',
    clause: 'errors.2',
    level: 'full',
    needs: ['codes', 'versions', 'edits', 'operations', 'owners', 'pages'],
    title:
      'every call that the state of a session does not allow is rejected with what it is about, and changes nothing',
    async run({ store }) {
      const begun = await begin(store)
      for (const [code, rejected] of Object.entries(rejectedAfter(begun))) {
        for (const [index, [call, named]] of rejected.entries()) {
          await assert.rejects(call(store), { code, ...named }, `${code}, number ${index + 1}`)
        }
      }
      same((await store.sessionInfo('s'))?.version, begun.version, 'the version')
      same(await store.sessionInfo('u'), null)
    },
  },
]
