import { expect, test } from 'vitest'
import { Disk } from '../../chaos/sqlite/disk.ts'
import type { Recorded } from '../../chaos/sqlite/read-record.ts'

const call = (kind: Recorded['kind'], path: string, place = 0, data = ''): Recorded => ({
  kind,
  path,
  place,
  data: Buffer.from(data),
})

function contents(disk: Disk, keep: Parameters<Disk['crash']>[0]): Record<string, string> {
  return Object.fromEntries([...disk.crash(keep)].map(([path, content]) => [path, content.toString()]))
}

test('what was synced is there, the rest may be there or not', () => {
  const disk = new Disk()
  disk.take(call('C', 'db'))
  disk.take(call('W', 'db', 0, 'kept'))
  disk.take(call('S', 'db'))
  disk.take(call('W', 'db', 4, ' and more'))
  expect(contents(disk, () => 'none')).toEqual({ db: 'kept' })
  expect(contents(disk, () => 'all')).toEqual({ db: 'kept and more' })
  expect(disk.unconfirmed).toBe(1)
})

test('a later write may be there without an earlier one', () => {
  const disk = new Disk()
  disk.take(call('C', 'db'))
  disk.take(call('S', 'db'))
  disk.take(call('W', 'db', 0, 'ab'))
  disk.take(call('W', 'db', 2, 'cd'))
  expect(contents(disk, ({ place }) => (place === 2 ? 'all' : 'none'))).toEqual({ db: '\0\0cd' })
})

test('a write is torn where sectors end', () => {
  const disk = new Disk()
  disk.take(call('C', 'db'))
  disk.take(call('S', 'db'))
  disk.take(call('W', 'db', 500, 'x'.repeat(600)))
  const places: number[] = []
  disk.crash(() => (place) => places.push(place) > 0)
  expect(places).toEqual([500, 512, 1024])
})

test('a new file is certain once it or its folder was synced, and so is a removal', () => {
  const disk = new Disk()
  disk.take(call('C', 'wal'))
  disk.take(call('W', 'wal', 0, 'log'))
  expect(contents(disk, () => 'none')).toEqual({})
  disk.take(call('S', 'the folder'))
  expect(contents(disk, () => 'none')).toEqual({ wal: '' })
  disk.take(call('S', 'wal'))
  disk.take(call('U', 'wal'))
  expect(contents(disk, () => 'none')).toEqual({ wal: 'log' })
  disk.take(call('S', 'the folder'))
  expect(contents(disk, () => 'all')).toEqual({})
})

test('a file that was cut may be long again', () => {
  const disk = new Disk()
  disk.take(call('C', 'db'))
  disk.take(call('W', 'db', 0, 'long'))
  disk.take(call('S', 'db'))
  disk.take(call('T', 'db', 2))
  expect(contents(disk, () => 'none')).toEqual({ db: 'long' })
  expect(contents(disk, () => 'all')).toEqual({ db: 'lo' })
})
