import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import { openMemory } from 'unforget'
import { placeOf } from '../checker/history.ts'
import type { State } from '../checker/state.ts'

export interface Expected {
  /** Of each session, after every commit. */
  readonly states: ReadonlyMap<string, readonly State[]>
  /** The last commit of each session that was acknowledged. */
  readonly atLeast: ReadonlyMap<string, number>
}

/** Opens a file as it was left, and says what is wrong with it: anything acknowledged missing, anything else than some state, or damage. */
export async function openCrashed(file: string, expected: Expected, isWhole: boolean): Promise<string | null> {
  try {
    return (await openStore(file, expected, isWhole)) ?? checkFile(file)
  } catch (error) {
    return `${(error as { code?: string }).code ?? 'untyped'}: ${(error as Error).message}`
  }
}

async function openStore(file: string, { states, atLeast }: Expected, isWhole: boolean): Promise<string | null> {
  await using memory = await openMemory(`sqlite:${file}`, { timeout: 10_000 })
  for (const [session, known] of states) {
    const entries = await memory.getEntries(session)
    const counter = entries.version === null ? 0 : placeOf(entries.version).counter
    const least = atLeast.get(session) ?? 0
    if (counter < least) return `${session} is at commit ${counter}, and ${least} was acknowledged`
    const state = known[counter]
    const seqs = entries.map(({ seq }) => seq)
    if (state === undefined) return `${session} is at commit ${counter}, which nobody made`
    if (state.version !== null && state.version !== entries.version) return `${session} has another commit ${counter}`
    if (!isDeepStrictEqual(seqs, [...state.path])) return `${session} reads ${seqs}, not ${state.path}`
    const snapshots = (await memory.listSnapshots(session)).filter((one) => !one.automatic)
    const saved = [...state.snapshots].filter(([id]) => !state.automatic.includes(id))
    const counts = (list: readonly (readonly [string, number])[]) => Object.fromEntries(list)
    const isSame = isDeepStrictEqual(
      counts(snapshots.map(({ id, entries }) => [id, entries])),
      counts(saved.map(([id, path]) => [id, path.length])),
    )
    if (!isSame) return `${session} has other snapshots than at commit ${counter}`
  }
  for (const session of isWhole ? [undefined] : states.keys()) {
    const { ok, damage } = await (session === undefined ? memory.verify() : memory.verify(session))
    if (!ok) return `verify: ${damage.map(({ reason }) => reason).join('; ')}`
  }
  await memory.addMessages('after', [{ role: 'user', content: 'it goes on' }])
  return null
}

/** SQLite's own check, on a connection of its own. */
function checkFile(file: string): string | null {
  const database = new Database(file, { readonly: true })
  try {
    const result = database.pragma('integrity_check', { simple: true })
    return result === 'ok' ? null : `integrity_check: ${result}`
  } finally {
    database.close()
  }
}
