import { closeSync, openSync, readSync } from 'node:fs'

const headerSize = 32
const frameHeaderSize = 24
const magic = 0x377f0682

/**
 * The first page in a log (`-wal`), and whether it is a transaction of its own; null if there is none that SQLite would read. The log may be read
 * at any time; the database itself must not be, as closing it would drop the locks that SQLite holds on it.
 */
export function firstCommit(walFile: string): { page: Buffer; isWhole: boolean } | null {
  const header = Buffer.alloc(headerSize)
  let wal: number
  try {
    wal = openSync(walFile, 'r')
  } catch {
    return null
  }
  try {
    if (readSync(wal, header, 0, headerSize, 0) < headerSize) return null
    const order = header.readUInt32BE(0) - magic
    const size = header.readUInt32BE(8)
    if ((order !== 0 && order !== 1) || size < 512 || size > 65_536) return null
    const sum = checksum(header.subarray(0, 24), [0, 0], order)
    if (!isStored(sum, header, 24)) return null
    const frame = Buffer.alloc(frameHeaderSize + size)
    if (readSync(wal, frame, 0, frame.length, headerSize) < frame.length) return null
    if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) return null
    const page = frame.subarray(frameHeaderSize)
    if (!isStored(checksum(page, checksum(frame.subarray(0, 8), sum, order), order), frame, 16)) return null
    return { page, isWhole: frame.readUInt32BE(4) > 0 }
  } finally {
    closeSync(wal)
  }
}

type Sum = readonly [number, number]

function checksum(bytes: Buffer, [first, second]: Sum, order: 0 | 1): Sum {
  let a = first
  let b = second
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + b + (order === 0 ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))) >>> 0
    b = (b + a + (order === 0 ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4))) >>> 0
  }
  return [a, b]
}

function isStored([a, b]: Sum, bytes: Buffer, at: number): boolean {
  return bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b
}
