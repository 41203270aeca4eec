import type { Entry } from 'unforget'

const columns = 80

/** One short line per entry: its seq, who speaks, what is said. `ends`: show only this many of the first and of the last. */
export function showEntries(entries: readonly Entry[], ends = entries.length): string[] {
  const hidden = entries.length - 2 * ends
  if (hidden <= 0) return entries.map(showEntry)
  return [...entries.slice(0, ends).map(showEntry), `  … ${hidden} more`, ...entries.slice(-ends).map(showEntry)]
}

function showEntry(entry: Entry): string {
  const [who, what] = describe(entry)
  const text = what.length > columns ? `${what.slice(0, columns - 1)}…` : what
  return `${String(entry.seq).padStart(3)} ${who.padEnd(10)} ${text}`
}

function describe(entry: Entry): [who: string, what: string] {
  if (entry.kind === 'toolCall') {
    return ['record', `${entry.toolCall.name} returned ${JSON.stringify(entry.toolCall.result)}`]
  }
  if (entry.kind === 'summary') {
    return ['summary', `${entry.summary.text} (embedding of ${entry.summary.embedding?.length ?? 0})`]
  }
  if (entry.kind === 'record') return ['record', JSON.stringify(entry.record)]
  const { role = 'item', content = null, toolCalls = [] } = entry.message
  const calls = toolCalls.map((call) => `calls ${call.name} with ${JSON.stringify(call.arguments)}`)
  const said = content === null ? [] : [typeof content === 'string' ? content : JSON.stringify(content)]
  return [role, [...said, ...calls].join('; ')]
}
