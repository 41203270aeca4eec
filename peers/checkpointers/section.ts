import { readFileSync } from 'node:fs'
import { type Program, programs } from './programs.ts'

/** What `npm run prove:peers` saw, kept in results.json. */
export interface Results {
  readonly versions: Readonly<Record<string, string>>
  readonly runs: number
  /** By program, then by saver. */
  readonly printed: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const heading = '## Checkpointers of LangGraph'

export const programFile = (id: string) => new URL(`programs/${id}.mjs`, import.meta.url)

/** The page with this section in place of the one it ends with, if it has one. */
export function withSection(page: string, results: Results): string {
  const [stores = ''] = page.split(heading)
  return `${stores.trimEnd()}\n\n${checkpointersSection(results)}`
}

/** The last section of docs/peers.md. */
function checkpointersSection({ versions, runs, printed }: Results): string {
  const parts = [
    heading,
    `The kit proves stores of messages, and a checkpointer is not one. So these are programs of at most 15 lines, in \`peers/checkpointers/programs/\`, each run with LangGraph's own savers and with [\`UnforgetSaver\`](bridges/langgraph.md), which uses SQLite unless a row says otherwise. The tables show what they printed. ${runs === 1 ? 'Each was run once.' : `Each was run ${runs} times and printed the same every time.`} \`openSaver\` opens the saver named on the command line, with the defaults of its package. \`npm run prove:peers -- --checkpointers\` runs them again and writes only this section.`,
    `Versions: ${Object.entries(versions)
      .map((one) => one.join(' '))
      .join(', ')}.`,
    ...programs.flatMap((program) => subsection(program, printed[program.id] ?? {})),
  ]
  return `${parts.join('\n\n')}\n`
}

function subsection({ id, title, does, savers }: Program, printed: Readonly<Record<string, string>>): string[] {
  const rows = savers.map((saver) => `| ${saver} | ${cell(printed[saver] ?? 'not run')} |`)
  return [
    `### ${title}`,
    does,
    `\`peers/checkpointers/programs/${id}.mjs\`:`,
    `\`\`\`text\n${readFileSync(programFile(id), 'utf8').trimEnd()}\n\`\`\``,
    ['| Saver | prints |', '| --- | --- |', ...rows].join('\n'),
  ]
}

const cell = (printed: string) => printed.trim().replaceAll('\n', ' ').replaceAll('|', '\\|')
