import { readFileSync } from 'node:fs'

/** The sentence of every clause, by its id, as docs/contract.md has it. */
export function readClauses(): Map<string, string> {
  const contract = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')
  return new Map([...contract.matchAll(/^- \*\*(\w+\.\d+)\*\* (\S.*)$/gm)].map(([, id = '', text = '']) => [id, text]))
}
