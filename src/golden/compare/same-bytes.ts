import { closeSync, openSync, readSync, statSync } from 'node:fs'

const chunkSize = 1 << 20

/** Whether two files have the same bytes; stops at the first difference. */
export function haveSameBytes(one: string, other: string): boolean {
  const { size } = statSync(one)
  if (size !== statSync(other).size) return false
  const files = [openSync(one, 'r'), openSync(other, 'r')] as const
  try {
    const [left, right] = [Buffer.allocUnsafe(chunkSize), Buffer.allocUnsafe(chunkSize)]
    for (let position = 0; position < size; position += chunkSize) {
      const length = readSync(files[0], left, 0, chunkSize, position)
      readSync(files[1], right, 0, chunkSize, position)
      if (left.compare(right, 0, length, 0, length) !== 0) return false
    }
    return true
  } finally {
    for (const file of files) closeSync(file)
  }
}
