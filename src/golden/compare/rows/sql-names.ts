/** Quotes any name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Joins terms as a balanced tree, because SQLite limits the depth of an expression. */
export function joinBalanced(terms: readonly string[], operator: string): string {
  if (terms.length <= 1) return terms[0] ?? ''
  const middle = terms.length >> 1
  return `(${joinBalanced(terms.slice(0, middle), operator)} ${operator} ${joinBalanced(terms.slice(middle), operator)})`
}
