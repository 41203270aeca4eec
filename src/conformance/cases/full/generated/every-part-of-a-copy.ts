import assert from 'node:assert/strict'
import type { SessionCopy } from '../../../../core/backend.ts'
import { same } from '../../helpers/same.ts'
import type { WrittenCase } from '../../written-case.ts'
import { fill, toFill } from '../helpers/rich-session.ts'

type Fields = Record<string, unknown>

const missing = undefined
const far = 2 ** 53
const nonce = [missing, null, 7, '', 'a.b', 'a b', {}]
const text = [missing, null, 7, '', {}]
const time = [missing, '1', -1, 8.64e15 + 1, Number.NaN, {}]
const positive = [missing, null, '1', 0, -1, 0.5, Number.NaN, far]
const flag = [missing, null, 'yes', 1]

/** What each field of a copy must not be. */
const wrong: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  head: {
    birth: nonce,
    counter: positive,
    nonce,
    epoch: [...positive, 1, 999],
    epochNonce: nonce,
    end: [...positive, 1, 999],
    createdAt: [...time, null],
    updatedAt: [...time, null],
    ttl: [missing, '1', 0, -1, Number.NaN, 8.64e15],
    ownTtl: flag,
    expiresAt: time,
    takenBack: [...positive, 999],
    takenBackNonce: nonce,
  },
  about: { owner: [missing, '', 7, '\ud800'], title: [missing, 7, {}], metadata: [missing, 7, {}, '', '1', '[]', '{'] },
  epochs: {
    number: [...positive, 999],
    path: [missing, null, {}, [], [[1]], [[1, 2]], [[0, null]], [[2, 1]], [[1, null, 2]], [['1', null]], [[0.5, null]]],
    cause: [missing, 'dream', 7, ''],
    at: time,
  },
  snapshots: {
    id: [...text, '\ud800'],
    label: [missing, 7, {}],
    automatic: flag,
    epoch: [...positive, 999],
    end: [missing, null, '1', -1, 0.5, Number.NaN, far, 999],
    at: [...time, null],
    number: [...positive, 999],
  },
  entries: {
    seq: [...positive, 999],
    at: [...time, null],
    kind: [missing, null, 'dream', 7, ''],
    format: [...positive, 99],
    body: [...text, '{', 'null', '{}'],
    bytes: [missing, 7, 'x', {}, [1], new Uint8Array(3)],
  },
  '': {
    id: [...text, '\ud800'],
    head: [missing, null, 7, []],
    about: [missing, null, 7],
    epochs: [missing, null, {}, []],
    snapshots: [missing, null, {}, [null]],
    entries: [missing, null, {}, [], [null]],
  },
}

/** The object that has the fields of a part: the first of a list, or the copy itself. */
function partOf(copy: SessionCopy, name: string): Fields {
  const part = name === '' ? copy : copy[name as keyof SessionCopy]
  return (Array.isArray(part) ? part[0] : part) as Fields
}

function placeOf(copy: SessionCopy, name: string): string {
  if (name === '') return 'copy'
  return Array.isArray(copy[name as keyof SessionCopy]) ? `copy.${name}[0]` : `copy.${name}`
}

/** What must not be done to a list. */
const disorders: Readonly<Record<string, (list: readonly unknown[]) => unknown[]>> = {
  'in another order': ([first, second, ...others]) => [second, first, ...others],
  'with one of them twice': ([first, ...others]) => [first, first, ...others],
}

/** A number that is fine by itself may contradict another part, which is then the place. */
const contradicts = (value: unknown) => value === 0 || value === 1 || value === 999
const isPart = /^copy\.(epochs|snapshots|entries)/

export const everyPartOfACopy: WrittenCase[] = Object.entries(wrong).map(([name, fields]) => ({
  id: `transfer.4/every-field-of-${name === '' ? 'a-copy' : name}`,
  clause: 'transfer.4',
  level: 'full',
  needs: [...toFill, 'codes', 'owners'],
  title: `a copy is rejected if any field of ${name === '' ? 'the copy' : `its ${name}`} is missing, unknown or wrong`,
  async run({ store, open }) {
    await fill(store)
    await store.describe('s', { owner: 'ann', title: 't', metadata: { a: 1 } })
    const copy = await store.exportSession('s')
    const other = await open()
    const refuseCopy = async (damaged: SessionCopy, about: string, places: (path: string) => boolean) => {
      await assert.rejects(other.importSession(damaged), { code: 'INVALID_ENTRY' }, about)
      const { path = '' } = (await other.importSession(damaged).catch(Object)) as { path?: string }
      assert.ok(places(path), `${about}: the place of the problem is said to be ${path}`)
      same(await other.sessionInfo('s'), null, `${about}: something was imported`)
    }
    const refuse = (change: (part: Fields) => void, about: string, places: (path: string) => boolean) => {
      const damaged = structuredClone(copy)
      change(partOf(damaged, name))
      return refuseCopy(damaged, about, places)
    }
    same(new Set(Object.keys(partOf(copy, name))), new Set(Object.keys(fields)), 'the fields that there are')
    const holder = placeOf(copy, name)
    for (const [field, values] of Object.entries(fields)) {
      const own = `${holder}.${field}`
      const isThere = (path: string) => path.startsWith(own)
      for (const value of values) {
        const isPlaced = (path: string) => isThere(path) || path === holder || (contradicts(value) && isPart.test(path))
        await refuse((part) => Object.assign(part, { [field]: value }), `${own}: ${String(value)}`, isPlaced)
      }
      await refuse((part) => Reflect.deleteProperty(part, field), `${own} is not there`, isThere)
    }
    await refuse(
      (part) => Object.assign(part, { extra: 1 }),
      `${holder}.extra`,
      (path) => path === holder,
    )
    const list: unknown = copy[name as keyof SessionCopy]
    for (const [how, change] of Object.entries(Array.isArray(list) ? disorders : {})) {
      const changed = change(list as unknown[])
      assert.notDeepEqual(changed, list, `${name}, ${how}`)
      await refuseCopy({ ...copy, [name]: changed }, `${name}, ${how}`, (path) => isPart.test(path))
    }
    await other.importSession(copy)
    same(await other.exportSession('s'), copy, 'what was not damaged is imported')
  },
}))
