import { resolve } from 'node:path'
import type { Command } from 'commander'
import { compareDatabases } from '../../../golden/compare/compare-databases.ts'
import { isEmptyDiff } from '../../../golden/compare/diff.ts'
import { pendingPath } from '../../../golden/files/golden-names.ts'
import { readSubject } from '../../../golden/files/report.ts'
import { renderDiff } from '../../../golden/render/render-diff.ts'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { CannotRun, type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { nameOf, showNotApplied } from '../golden-changes.ts'
import { readContent, withCopies } from '../golden-databases.ts'
import { openPage, writePage } from '../golden-open.ts'
import { addVolatile, toRows, type VolatileOption } from '../golden-options.ts'
import { renderGoldenPage } from '../golden-page.ts'
import { whereOf } from '../golden-paths.ts'

interface Options extends CommonOptions {
  readonly html?: boolean
  readonly open?: boolean
  readonly rows?: number
  readonly volatile?: VolatileOption
}

export function addDiffCommand(golden: Command): void {
  addCommand(
    golden,
    'diff <before> <after>',
    'compare two SQLite databases, goldens or others; exits with 1 if they differ',
    'unforget golden diff before.sqlite after.sqlite',
  )
    .option('--html', 'write the difference as a page to a temporary file, and print its path')
    .option('--open', 'the same, and open it in a browser')
    .option('--rows <n>', 'rows to show per table (default: 20; 200 in HTML; all in JSON)', toRows)
    .option('--volatile <column=kind>', 'table.column=uuid, time or random; repeatable', addVolatile)
    .action((before: string, after: string, options: Options) =>
      runCommand(options, (context) => showDiff(context, before, after, options)),
    )
}

function showDiff({ output, json }: Context, before: string, after: string, options: Options): Promise<ExitCode> {
  const isPage = options.html === true || options.open === true
  if (isPage && json) throw new CannotRun('--json and --html cannot be combined')
  const rowLimit = options.rows ?? (json ? Number.POSITIVE_INFINITY : isPage ? 200 : 20)
  const subjects = [readSubject(before), readSubject(after)]
  const volatile = { ...subjects[0]?.volatile, ...subjects[1]?.volatile, ...options.volatile }
  const functions = new Set(subjects.flatMap((subject) => subject?.functions ?? []))
  const notApplied = [...functions].filter((column) => !(column in volatile))
  return withCopies([before, after], async (one, other) => {
    const diff = compareDatabases(one, other, { volatile, rowLimit })
    const isEqual = isEmptyDiff(diff)
    if (json) await output.json({ before, after, equal: isEqual, notApplied, diff })
    else if (isPage) {
      const [, pending] = subjects
      const isPending = resolve(after) === pendingPath(resolve(before))
      const name = isPending && pending != null ? nameOf(pending) : null
      const about = name === null ? { title: `${before} → ${after}` } : { title: name, where: whereOf(before) }
      const side = (what: string, copy: string) => ({ name: what, content: readContent(copy, rowLimit) })
      const sides = { before: side('before', one), after: side('after', other) }
      const file = writePage(renderGoldenPage({ ...about, diff, notApplied, ...sides }))
      await output.line(file)
      if (options.open === true) await openPage(file)
    } else {
      const color = output.paint('red', '') !== ''
      await output.line(isEqual ? 'nothing differs' : renderDiff(diff, { color }))
    }
    if (notApplied.length > 0 && !json) process.stderr.write(`${visibleLine(showNotApplied(notApplied))}\n`)
    return isEqual ? 0 : 1
  })
}
