import type { EncodedEntry } from './backend.ts'
import { describePlace } from './carry-value.ts'
import { encodeEntry } from './encode-entry.ts'
import { type EntryKind, entryKinds } from './entries.ts'
import { InvalidEntryError } from './errors.ts'

/** Checks and encodes an entry as `getEntries` returns it; `name` is used in error messages. Each field is read once. */
export function encodeInput(value: unknown, name: string): EncodedEntry {
  const { kind, seq, at, ...fields } = copyOf(value, name)
  if (!isKind(kind)) throw new InvalidEntryError(`${name}.kind`, `expected one of ${entryKinds.join(', ')}`)
  for (const key of Object.keys(fields)) {
    const isKnown = key === kind || (key === 'standsIn' && kind === 'summary') || fields[key] === undefined
    if (!isKnown) throw new InvalidEntryError(describePlace(name, [key]), `unknown field of a ${kind}`)
  }
  const { standsIn = false } = fields
  if (typeof standsIn !== 'boolean') throw new InvalidEntryError(`${name}.standsIn`, 'expected true or false')
  return encodeEntry(standsIn ? 'compaction' : kind, fields[kind], `${name}.${kind}`)
}

function isKind(kind: unknown): kind is EntryKind {
  return entryKinds.includes(kind as EntryKind)
}

function copyOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidEntryError(name, 'expected an entry with a kind')
  }
  try {
    return { ...value }
  } catch (error) {
    throw new InvalidEntryError(name, `cannot be read (${(error as Error).message})`)
  }
}
