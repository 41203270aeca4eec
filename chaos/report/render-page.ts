import { others } from './others.ts'
import type { PartRun, Results } from './results.ts'

interface Section {
  readonly part: string
  readonly title: string
  /** What was done and what must hold. */
  readonly text: string
}

const histories =
  'Four processes make random calls of every kind on three sessions: appends, trims, compactions, snapshots, rollbacks, rewinds, forks, imports, deletions, reads, turns, and operations that another process began. Every call and its result is recorded. The checker looks for one order of commits per session that explains every result and agrees with real time. Faults'

const sections: readonly Section[] = [
  {
    part: 'planted',
    title: 'Bugs planted in the store',
    text: 'The checker must find bugs that are planted in the store, one of them the `rewind` of 0.1, which cut turns that it had not read and kept quiet about them.',
  },
  { part: 'sqlite', title: 'Histories on SQLite', text: `${histories}: clients are killed, stopped and resumed.` },
  {
    part: 'redis',
    title: 'Histories on Redis',
    text: `${histories}: the same, the server is killed, restarted and paused, connections are cut at any byte, refused or left hanging, and scripts are flushed. \`appendfsync always\`.`,
  },
  {
    part: 'cluster',
    title: 'Histories on a Redis Cluster',
    text: `${histories}: the same, slots move, replicas are promoted in order and after the death of their master. \`waitForReplicas: 1\`. What was not acknowledged may be seen and be lost afterwards; what was acknowledged may not.`,
  },
  {
    part: 'postgres',
    title: 'Histories on PostgreSQL',
    text: `${histories}: the same, statements are canceled and connections terminated.`,
  },
  {
    part: 'kills',
    title: 'SIGKILL on SQLite',
    text: 'A process that makes random calls, three at a time, is killed at a random moment. The file is opened, what had begun is asked for, and everything is compared with what must be there. The next process goes on with the same file.',
  },
  {
    part: 'power',
    title: 'Power cuts on SQLite',
    text: "A preloaded library records every write, truncation, sync and removal of a run, and every acknowledgement. After the recorded calls the power is cut: what was not synced is all there, all missing, or kept, dropped and torn at sectors of 512 bytes as chance decides, call by call. Each state is opened, must hold every acknowledged commit and nothing but a state that there was, passes `verify` of its sessions (every tenth state: of the whole file) and SQLite's `integrity_check`, and takes a new write. With `durability: 'process'`, which does not promise it, the same states lose acknowledged commits: a test sees that.",
  },
  {
    part: 'io',
    title: 'I/O errors on SQLite',
    text: 'The same library fails the n-th `open`, `write`, `fsync`, `truncate` or `mmap` of a run, for every n, with EIO or ENOSPC, once or from then on. Every error must be typed, `applied` must be true, and nothing acknowledged may be missing afterwards.',
  },
  {
    part: 'failovers',
    title: 'Failovers of a Redis Cluster',
    text: 'Masters are killed under load, and their replicas promoted, with `waitForReplicas: 1`. `health` warns of failovers on every cluster, because Redis itself does not promise to keep what was acknowledged.',
  },
  {
    part: 'promotions',
    title: 'Promotions of a PostgreSQL standby',
    text: 'The primary is killed under load, and its synchronous standby promoted, on a new pair each time. Before the standby is synchronous, `health` must warn; afterwards it must not.',
  },
]

/** The page, from nothing but what runs recorded. */
export function renderPage({ machine, runs }: Results): string {
  const done = sections.filter(({ part }) => runs.some((run) => run.part === part))
  const rows = done.map(({ part, title }) => {
    const own = runs.filter((run) => run.part === part)
    const found = own.reduce((sum, { problems }) => sum + problems.length, 0)
    return `| [${title}](#${anchor(title)}) | ${headline(part, sumUp(own))} | ${found === 0 ? 'nothing' : `**${found}**`} |`
  })
  return `${[
    '# Reliability',
    '<!-- Written by `npm run chaos -- --write` from chaos/results.json. Change chaos/report, not this page. -->',
    '`npm run chaos` hurts the store in every way we can produce, and checks that nothing acknowledged is lost, doubled or wrong. This page is what it did on this version, and what it found. `npm run chaos -- --help` lists its options; a short run is part of `npm run test:all`.',
    ['| what was done | how often | violations found |', '|---|---|---|', ...rows].join('\n'),
    `${machine.processor}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}, SQLite ${machine.sqlite}, ${machine.redis}, unforget ${machine.unforget}. The runs began between ${span(runs)}. The machine did other work at the same time.`,
    ...done.map(({ part, title, text }) => {
      const own = runs.filter((run) => run.part === part)
      return [`## ${title}`, text, list(sumUp(own)), ...problemsOf(own)].join('\n\n')
    }),
    others,
  ].join('\n\n')}\n`
}

/** Runs add up; what belongs to a single run is the largest there was. */
function sumUp(runs: readonly PartRun[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const { figures, seconds } of runs) {
    for (const [name, value] of Object.entries({ ...figures, seconds })) {
      const before = total[name] ?? 0
      total[name] = name.endsWith('in a run') ? Math.max(before, value) : before + value
    }
  }
  return total
}

const headlines: Readonly<Record<string, readonly string[]>> = {
  planted: ['bugs planted', 'bugs found'],
  kills: ['kills', 'acknowledged'],
  power: ['states opened', 'different contents'],
  io: ['faults'],
  failovers: ['failovers', 'operations'],
  promotions: ['promotions', 'operations'],
}

function headline(part: string, figures: Readonly<Record<string, number>>): string {
  const names = headlines[part] ?? ['rounds', 'operations']
  return names.map((name) => `${(figures[name] ?? 0).toLocaleString('en')} ${name}`).join(', ')
}

function list(figures: Readonly<Record<string, number>>): string {
  return Object.entries(figures)
    .map(([name, value]) => `- ${name}: ${value.toLocaleString('en')}`)
    .join('\n')
}

function problemsOf(runs: readonly PartRun[]): string[] {
  return runs.flatMap(({ problems }) => problems.map((problem) => `\`\`\`text\n${problem}\n\`\`\``))
}

function span(runs: readonly PartRun[]): string {
  const dates = runs.map(({ date }) => date).sort()
  const minute = (date: string | undefined) => (date ?? '').slice(0, 16).replace('T', ' ')
  return `${minute(dates[0])} and ${minute(dates.at(-1))} UTC`
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}
