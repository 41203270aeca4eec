import type { Damage } from '../../core/backend.ts'
import { textOf } from './rows.ts'

const sessionsPerSlice = 1000

/** A row of `find_damage`: a session with entries, with their seqs if it is nobody's; or the id of one whose name is missing. */
interface DamageRow {
  readonly session: number | null
  readonly seqs: readonly number[] | null
  readonly id: Buffer | null
}

/** Finds entries that belong to no session, and sessions whose loss would go unnoticed. */
export async function findDamage(
  read: (after: number, limit: number) => Promise<readonly unknown[]>,
): Promise<readonly Damage[]> {
  const damage: Damage[] = []
  let after: number | null = 0
  while (after !== null) {
    const rows = (await read(after, sessionsPerSlice)) as DamageRow[]
    for (const { seqs, id } of rows) {
      if (id !== null) damage.push({ session: textOf(id), seqs: [], reason: 'its row of names is missing' })
      else if (seqs !== null) {
        damage.push({ session: null, seqs, reason: `${seqs.length} entries belong to no session` })
      }
    }
    const looked: readonly DamageRow[] = rows.filter(({ session }) => session !== null)
    after = looked.length < sessionsPerSlice ? null : (looked.at(-1)?.session ?? null)
  }
  return damage
}
