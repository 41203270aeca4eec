import { type CheckpointRecord, checkpointType, type Stored, type WritesRecord } from './records.ts'

/** What a record takes besides its values. */
const ownWeight = 1000

/** About how many bytes a record takes in memory. Of an item of a list, what it looked like may be there too. */
export function weightOf(record: CheckpointRecord | WritesRecord): number {
  let weight = ownWeight
  if (record.type === checkpointType) {
    for (const stored of Object.values(record.values ?? {})) weight += weightOfStored(stored)
    for (const steps of Object.values(record.lists ?? {})) {
      for (const [, , ...added] of steps) for (const stored of added) weight += 2 * weightOfStored(stored)
    }
  } else {
    for (const [, , stored] of record.writes) weight += weightOfStored(stored)
  }
  return weight
}

function weightOfStored(stored: Stored): number {
  return 'data' in stored ? stored.data.byteLength : weightOfJson(stored[0])
}

function weightOfJson(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  let weight = 16
  for (const key of Object.keys(value)) weight += key.length + weightOfJson((value as Record<string, unknown>)[key])
  return weight
}
