import type { AdvancedEpoch } from '../../core/advance.ts'
import type { KeptEpoch } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import type { Path } from '../../core/path.ts'
import { pathFromText, pathToText } from '../../core/path-text.ts'
import { type StoredEpoch, StoredEpochs } from '../../core/stored-epochs.ts'
import { type EpochColumns, epochChecksum } from './checksums.ts'
import type { Queries } from './queries.ts'

interface EpochRow extends EpochColumns {
  readonly checksum: number | null
}

const columns = 'number, session, path, cause, at, base, entries, own, checksum'

export function insertEpoch(connection: Queries, id: string, session: number, epoch: AdvancedEpoch): void {
  const { number, cause, at, base } = epoch
  const path = pathToText(epoch.path)
  const difference = { base: base?.epoch ?? null, entries: base?.entries ?? null, own: base && pathToText(base.own) }
  const row = { number, session, path, cause, at, ...difference }
  connection.run(
    `INSERT INTO epochs (id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    number,
    session,
    path,
    cause,
    at,
    row.base,
    row.entries,
    row.own,
    epochChecksum(id, row),
  )
}

/** How often an epoch keeps its whole path. Reading a path follows at most this many differences. */
const wholeEvery = 128

/** Keeps only the difference of an epoch that is no longer current, if it has one. A damaged row stays as it is. */
export function shortenEpoch(connection: Queries, id: string, number: number): void {
  if (number % wholeEvery === 0) return
  const row = findEpoch(connection, id, number)
  if (row === undefined || row.base === null || row.path === '' || !isSound(id, row)) return
  const checksum = epochChecksum(id, { ...row, path: '' })
  connection.run("UPDATE epochs SET path = '', checksum = ? WHERE id = ? AND number = ?", checksum, id, number)
}

/** The path of an epoch, assembled from as many others as needed. */
export function readPath(connection: Queries, id: string, number: number): Path {
  const chain: StoredEpoch[] = []
  let row = soundEpoch(connection, id, number)
  for (; row.path === ''; row = soundEpoch(connection, id, baseOf(id, row))) chain.push(toStored(id, row))
  if (chain.length === 0) return pathFromText(id, row.path)
  return new StoredEpochs(id, [...chain, toStored(id, row)]).path(number)
}

/** All epochs of a session. Each is based on an earlier one. */
export function readEpochs(connection: Queries, id: string): KeptEpoch[] {
  const rows = connection.all<EpochRow>(`SELECT ${columns} FROM epochs WHERE id = ? ORDER BY number`, id)
  for (const row of rows) requireSound(id, row)
  const stored = new StoredEpochs(
    id,
    rows.map((row) => toStored(id, row)),
  )
  if (stored.lost.length > 0) throw new MemoryLostError(id, [], 'its path cannot be read')
  return stored.all
}

function toStored(id: string, { number, path, cause, at, base, entries, own }: EpochRow): StoredEpoch {
  return {
    number,
    path: path === '' ? null : pathFromText(id, path),
    cause,
    at,
    base,
    difference: base === null ? null : { entries: entries ?? 0, own: pathFromText(id, own) },
  }
}

/** The number of a session without a row, taken from its epochs. */
export function sessionOfEpochs(connection: Queries, id: string): number | undefined {
  const epochs = connection.all<EpochRow>(`SELECT ${columns} FROM epochs WHERE id = ?`, id)
  if (epochs.length === 0) return undefined
  const sound = epochs.find((epoch) => isSound(id, epoch))
  if (sound === undefined) throw new MemoryLostError(id, [], 'its paths are damaged')
  return sound.session
}

/** For rows that 0.1 wrote. */
export function checkEpochs(connection: Queries, id: string): void {
  for (const row of connection.all<EpochRow>(`SELECT ${columns} FROM epochs WHERE id = ?`, id)) {
    const checksum = epochChecksum(id, row)
    connection.run('UPDATE epochs SET checksum = ? WHERE id = ? AND number = ?', checksum, id, row.number)
  }
}

function baseOf(id: string, { number, base }: EpochRow): number {
  if (base === null || base >= number) throw new MemoryLostError(id, [], 'its path cannot be read')
  return base
}

function soundEpoch(connection: Queries, id: string, number: number): EpochRow {
  const row = findEpoch(connection, id, number)
  if (row === undefined) throw new MemoryLostError(id, [], 'its path is missing')
  requireSound(id, row)
  return row
}

function findEpoch(connection: Queries, id: string, number: number): EpochRow | undefined {
  const row = connection.get<EpochRow>(`SELECT ${columns} FROM epochs WHERE id = ? AND number = ?`, id, number)
  return row && { ...row, number }
}

function requireSound(id: string, row: EpochRow): void {
  if (!isSound(id, row)) throw new MemoryLostError(id, [], 'its path is damaged')
}

function isSound(id: string, row: EpochRow): boolean {
  return row.checksum === epochChecksum(id, row)
}
