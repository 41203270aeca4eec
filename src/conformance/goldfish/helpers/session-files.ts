import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bowl } from '../goldfish.ts'
import { inTurn } from './bowl.ts'
import { isAlive } from './unflushed.ts'

/** A file for each session, next to the sound store, for one worker at a time: a lock says who has it. */
export function sessionFiles(bowl: Bowl) {
  const fileOf = (session: string) => `${bowl.location}.${createHash('sha256').update(session).digest('hex')}.json`

  /** Runs work while no other handle and no other process has the file. The lock of a worker that died is taken over. */
  const locked = <T>(session: string, work: (file: string) => Promise<T>, ofTheDead = removeLock): Promise<T> =>
    inTurn(inLine(bowl, session), async () => {
      const file = fileOf(session)
      await takeLock(`${file}.lock`, ofTheDead)
      try {
        return await work(file)
      } finally {
        await rm(`${file}.lock`)
      }
    })
  return { fileOf, locked }
}

/** Serializes the calls of one session. */
function inLine(bowl: Bowl, session: string): Bowl {
  const lines = (bowl.shared.get('lines') ?? new Map()) as Map<string, Map<string, unknown>>
  bowl.shared.set('lines', lines)
  const line = lines.get(session) ?? new Map<string, unknown>()
  lines.set(session, line)
  return { ...bowl, shared: line }
}

async function takeLock(lock: string, ofTheDead: (lock: string) => Promise<void>): Promise<void> {
  const own = `${lock}.${process.pid}.${Math.random()}`
  await writeFile(own, `${process.pid}`)
  try {
    while (!(await isLinked(own, lock))) {
      const owner = Number(await readFile(lock, 'utf8').catch(() => process.pid))
      if (isAlive(owner)) await pause(1)
      else await ofTheDead(lock)
    }
  } finally {
    await rm(own)
  }
}

const isLinked = (own: string, lock: string): Promise<boolean> =>
  link(own, lock).then(
    () => true,
    () => false,
  )

async function removeLock(lock: string): Promise<void> {
  const aside = `${lock}.${process.pid}.dead`
  await rename(lock, aside).catch(() => {})
  const isOfALivingOne = existsSync(aside) && isAlive(Number(readFileSync(aside, 'utf8')))
  if (isOfALivingOne) await link(aside, lock).catch(() => {})
  await rm(aside, { force: true })
}
