import type { Entry } from '../../core/entries.ts'
import type { EntryView, PartView } from '../wire.ts'
import type { Part } from './part.ts'
import { partsOf } from './parts-of.ts'
import { toJson } from './to-text.ts'

/** How many characters of each part the page gets at first. It asks for more where a person wants to see more. */
const mostCharacters = 2000

const mostParts = 60

export function showEntry(entry: Entry): EntryView {
  const { seq, at, kind } = entry
  const parts = partsOf(entry)
  const summary = entry.kind === 'summary' ? entry.summary : null
  return {
    seq,
    at,
    kind,
    ...titleOf(entry),
    parts: parts.slice(0, mostParts).map(showPart),
    moreParts: Math.max(0, parts.length - mostParts),
    covers: summary?.covers ?? null,
    standsIn: entry.kind === 'summary' && entry.standsIn,
    dimensions: summary?.embedding?.length ?? null,
  }
}

function showPart({ text, kind, label = null, id = null, bytes = null, failed = false }: Part): PartView {
  return {
    kind,
    label: label && clip(label, 200),
    id,
    text: clip(text, mostCharacters),
    length: text.length,
    bytes,
    failed,
  }
}

/** The text of one part, or the whole entry as JSON. */
export function wholeText(entry: Entry, part: number | null): string | undefined {
  return part === null ? toJson(entry, 2) : partsOf(entry)[part]?.text
}

/** The beginning of a text, not cut within a character. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text
  const isHigh = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800
  return text.slice(0, isHigh ? most - 1 : most)
}

function titleOf(entry: Entry): Pick<EntryView, 'title' | 'name'> {
  switch (entry.kind) {
    case 'message': {
      const { role, type, name } = entry.message as Partial<Record<string, unknown>>
      return {
        title: clip(String(role ?? type ?? 'message'), 80),
        name: typeof name === 'string' && name !== '' ? clip(name, 80) : null,
      }
    }
    case 'toolCall':
      return { title: 'tool record', name: clip(entry.toolCall.name, 80) }
    case 'record':
      return { title: 'record', name: clip(entry.record.type, 80) }
    case 'summary':
      return { title: 'summary', name: null }
  }
}
