export interface DiffLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** A line diff by the longest common subsequence, for texts as short as a declaration. */
export function diffLines(before: string, after: string): DiffLine[] {
  return diffSequences(before.split('\n'), after.split('\n'))
}

export function diffSequences(a: readonly string[], b: readonly string[]): DiffLine[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i]
      if (row !== undefined) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [removed, added] = [a[i], b[j]]
    if (removed !== undefined && removed === added) {
      lines.push({ sign: ' ', text: removed })
      i++
      j++
    } else if (removed !== undefined && (added === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: removed })
      i++
    } else {
      lines.push({ sign: '+', text: added ?? '' })
      j++
    }
  }
  return lines
}
