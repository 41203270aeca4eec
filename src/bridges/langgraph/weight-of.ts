import { type CheckpointRecord, checkpointType, type Stored, type WritesRecord } from './records.ts'

/** What a record takes besides its values. */
const ownWeight = 1000

/** About how many bytes a record takes in memory. */
export function weightOf(record: CheckpointRecord | WritesRecord): number {
  return valuesOf(record).reduce((sum, stored) => sum + weightOfStored(stored), ownWeight)
}

function valuesOf(record: CheckpointRecord | WritesRecord): Stored[] {
  if (record.type !== checkpointType) return record.writes.map(([, , value]) => value)
  const added = Object.values(record.lists ?? {}).flatMap((steps) => steps.flatMap((step) => step.slice(2) as Stored[]))
  return [...Object.values(record.values ?? {}), ...added]
}

function weightOfStored(stored: Stored): number {
  return 'data' in stored ? stored.data.byteLength : weightOfJson(stored[0])
}

function weightOfJson(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  let weight = 16
  for (const [key, part] of Object.entries(value)) weight += key.length + weightOfJson(part)
  return weight
}
