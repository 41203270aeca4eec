import Database from 'better-sqlite3'

/** Takes the write lock of a file again and again and, when asked, tells how long it had to wait for it at most, in milliseconds. */
const database = new Database(process.argv[2] ?? '', { timeout: 0 })
let waitingSince: number | undefined
let longest = 0

function tryLock(): void {
  const now = performance.now()
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    if (waitingSince !== undefined) longest = Math.max(longest, now - waitingSince)
    waitingSince = undefined
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error
    waitingSince ??= now
  }
  setTimeout(tryLock, waitingSince === undefined ? 2 : 0)
}

process.on('message', () => {
  process.send?.(longest)
  longest = 0
})
process.on('disconnect', () => process.exit(0))
tryLock()
process.send?.('ready')
