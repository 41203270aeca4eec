import { type CaseReport, type LevelReport, levels } from '../src/conformance/index.ts'
import type { Finding, Peer } from './finding.ts'

export interface Shown {
  readonly finding: Finding
  readonly code: string
  readonly output: string
}

export interface Proved {
  readonly peer: Peer
  /** Versions of its packages and of the server it ran on, in the order of the page. */
  readonly versions: readonly (readonly [name: string, version: string])[]
  readonly levels: readonly LevelReport[]
  readonly cases: readonly CaseReport[]
  readonly shown: readonly Shown[]
}

/** docs/peers.md. Nothing in it depends on when or where it is made, except the version of Node. */
export function peersPage(proved: readonly Proved[], sentences: ReadonlyMap<string, string>): string {
  const parts = [
    '# Published stores under proof',
    'Written by `npm run prove:peers`, which installs the packages in `peers/`, proves each store with the conformance kit and runs the programs below. Nothing was changed in the packages. The store modules are in `peers/stores/`, the programs in `peers/reproductions/`. The programs use only the packages, without the kit; each was run 20 times and printed the same every time.',
    'The clauses are those of [the contract](contract.md). They are what unforget promises. These stores make other promises; each section quotes the documentation of its store. A case that needs something a store does not have, such as `trim`, is *not offered*.',
    table(
      ['Store', 'Packages'],
      proved.map(({ peer, versions }) => [peer.name, versions.map((one) => one.join(' ')).join(', ')]),
    ),
    `Node ${process.versions.node}. Cases passed / failed / not offered:`,
    table(
      ['Store', ...levels],
      proved.map((one) => [one.peer.name, ...levels.map((level) => counts(one.levels, level))]),
    ),
    ...proved.flatMap((one) => section(one, sentences)),
  ]
  return `${parts.join('\n\n')}\n`
}

function counts(reports: readonly LevelReport[], level: string): string {
  const one = reports.find((report) => report.level === level)
  if (one === undefined || !one.offered) return 'not offered'
  return `${one.passed} / ${one.failed} / ${one.notOffered}`
}

function section({ peer, cases, shown }: Proved, sentences: ReadonlyMap<string, string>): string[] {
  const held = cases.filter(({ status }) => status === 'passed')
  return [
    `## ${peer.name}`,
    `From \`${peer.from}\`. ${peer.about.join(' ')}`,
    `Passed: ${held.length === 0 ? 'none' : list(held.map(({ id }) => id))}.`,
    peer.unfinished === undefined ? '' : `Did not end within two minutes, and not counted: ${list(peer.unfinished)}.`,
    peer.unsteady === undefined ? '' : `Differs from run to run, and not counted: ${list(peer.unsteady)}.`,
    shown.length === 0 ? 'No case failed.' : '',
    ...shown.flatMap((one) => findingOf(one, sentences)),
  ].filter((text) => text !== '')
}

function findingOf({ finding, code, output }: Shown, sentences: ReadonlyMap<string, string>): string[] {
  const { clauses, cases, stopped = [], note, reproduction } = finding
  return [
    `### ${clauses.length === 0 ? 'Outside the clauses' : clauses.join(', ')}`,
    clauses.map((clause) => `> **${clause}** ${sentences.get(clause) ?? ''}`).join('\n>\n'),
    note,
    cases.length === 0 ? '' : `Failed: ${list(cases)}.`,
    stopped.length === 0 ? '' : `Failed for the same reason: ${list(stopped)}.`,
    `\`peers/reproductions/${reproduction}.mjs\`:`,
    fence(code),
    'prints',
    fence(output),
  ].filter((text) => text !== '')
}

const list = (ids: readonly string[]) => ids.map((id) => `\`${id}\``).join(', ')

const fence = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
