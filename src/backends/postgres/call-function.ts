/** The arguments of a function by their names; those that are left out have no part in the call. */
export type Arguments = Record<string, unknown>

export type Query = [text: string, values: unknown[]]

/** The statement that calls a function of the schema: `SELECT` for its result, `SELECT * FROM` for the rows that it returns. */
export function callFunction(how: 'SELECT' | 'SELECT * FROM', schema: string, name: string, args: Arguments): Query {
  const names = Object.keys(args).map((key, index) => `p_${key} => $${index + 1}`)
  return [`${how} ${schema}.${name}(${names.join(', ')})`, Object.values(args)]
}
