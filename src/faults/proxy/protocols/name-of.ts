const blank = /[\s(;]+|--[^\n\r]*/y
const word = /[a-z]*/iy
const commentMark = /\/\*|\*\//g

/** The first word of a statement, in capitals; `''` if there is none. */
export function nameOf(sql: string): string {
  let at = 0
  for (let end = endOfBlank(sql, at); end > at; end = endOfBlank(sql, at)) at = end
  word.lastIndex = at
  return word.exec(sql)?.[0].toUpperCase() ?? ''
}

function endOfBlank(sql: string, start: number): number {
  if (sql.startsWith('/*', start)) return endOfComment(sql, start)
  blank.lastIndex = start
  return blank.test(sql) ? blank.lastIndex : start
}

/** Comments nest. An unclosed comment extends to the end. */
function endOfComment(sql: string, start: number): number {
  let depth = 0
  commentMark.lastIndex = start
  for (let mark = commentMark.exec(sql); mark !== null; mark = commentMark.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1
    if (depth === 0) return commentMark.lastIndex
  }
  return sql.length
}
