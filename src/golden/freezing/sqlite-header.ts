import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { messageOf } from '../../plain/message-of.ts'
import { errorCode, GoldenError } from '../errors.ts'

const headerSize = 100
const magic = Buffer.from('SQLite format 3\0', 'latin1')
const newestFileFormat = 2
const newestSchemaFormat = 4

/** What VACUUM INTO leaves that depends on the history or the library, and what a golden has instead: a version that never existed. */
const constants: readonly (readonly [offset: number, value: number])[] = [
  [24, 1],
  [40, 1],
  [92, 1],
  [96, 3_040_099],
]

/** Throws unless the file starts like a SQLite database that this version can read. Reads the file: never call it on a live database. */
export function requireDatabase(path: string): void {
  const { header, size } = readHeader(path)
  if (header.toString('latin1').startsWith('version https://git-lfs')) {
    throw new GoldenError(
      'NOT_A_DATABASE',
      `${path} is a pointer of Git LFS, not the database itself. Run: git lfs pull`,
    )
  }
  if (header.length < headerSize || !header.subarray(0, magic.length).equals(magic)) {
    const what = size === 0 ? 'is empty' : 'is not a SQLite database'
    throw new GoldenError('NOT_A_DATABASE', `${path} ${what}. Delete it to have it created again.`)
  }
  const written = header.readUInt8(18)
  const readable = header.readUInt8(19)
  if (Math.max(written, readable) > newestFileFormat || header.readUInt32BE(44) > newestSchemaFormat) {
    throw new GoldenError('TOO_NEW', `${path} was written by a newer SQLite, in a format that this one cannot read.`)
  }
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const pages = header.readUInt32BE(28)
  if (pageSize < 512 || size % pageSize !== 0 || (isTrustworthy(header) && size < pages * pageSize)) {
    throw new GoldenError('CORRUPT', `${path} is corrupt: it has ${size} bytes, which is not what its header says.`)
  }
}

/** Whether nobody wrote to the file since `makeCanonical`: every write would change these bytes. Ignores a -wal or -journal next to it. */
export function isCanonical(path: string): boolean {
  const { header } = readHeader(path)
  return (
    header.length === headerSize &&
    header.readUInt16BE(18) === 0x0101 &&
    constants.every(([offset, value]) => header.readUInt32BE(offset) === value)
  )
}

/** Makes the output of VACUUM INTO the same for the same content, whatever its history and the library's version. */
export function makeCanonical(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const bytes = Buffer.alloc(4)
    for (const [offset, value] of constants) {
      bytes.writeUInt32BE(value)
      writeSync(file, bytes, 0, 4, offset)
    }
  } finally {
    closeSync(file)
  }
}

function isTrustworthy(header: Buffer): boolean {
  return header.readUInt32BE(24) === header.readUInt32BE(92)
}

function readHeader(path: string): { header: Buffer; size: number } {
  let file: number | undefined
  try {
    if (statSync(path).isDirectory()) throw new GoldenError('IS_DIRECTORY', `${path} is a folder, not a database.`)
    file = openSync(path, 'r')
    const header = Buffer.alloc(headerSize)
    const length = readSync(file, header, 0, headerSize, 0)
    return { header: header.subarray(0, length), size: statSync(path).size }
  } catch (error) {
    if (error instanceof GoldenError) throw error
    if (errorCode(error) === 'ENOENT') throw new GoldenError('MISSING', `There is no ${path}.`, { cause: error })
    throw new GoldenError('CANNOT_READ', `${path} cannot be read: ${messageOf(error)}.`, { cause: error })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
