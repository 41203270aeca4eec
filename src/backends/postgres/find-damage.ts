import type { Damage } from '../../core/backend.ts'

const sessionsPerSlice = 1000

/** A row of `find_damage`: a session with entries, with their seqs if it is nobody's. */
interface DamageRow {
  readonly session: number
  readonly seqs: readonly number[] | null
}

/** Finds entries that belong to no session. */
export async function findDamage(
  read: (after: number, limit: number) => Promise<readonly unknown[]>,
): Promise<readonly Damage[]> {
  const damage: Damage[] = []
  let after: number | null = 0
  while (after !== null) {
    const rows = (await read(after, sessionsPerSlice)) as DamageRow[]
    for (const { seqs } of rows) {
      if (seqs !== null) damage.push({ session: null, seqs, reason: `${seqs.length} entries belong to no session` })
    }
    after = rows.length < sessionsPerSlice ? null : (rows.at(-1)?.session ?? null)
  }
  return damage
}
