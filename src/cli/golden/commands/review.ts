import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { acceptPending, type PendingGolden, rejectPending } from '../../../golden/files/golden-files.ts'
import { renderDiff } from '../../../golden/render/render-diff.ts'
import { visibleLine } from '../../../plain/visible-text.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, report, runCommand } from '../../command/run-command.ts'
import { canAsk } from '../../terminal/ask.ts'
import type { Output } from '../../terminal/output.ts'
import { count } from '../../terminal/wording.ts'
import { type PendingChange, proposalFor, readChange } from '../golden-changes.ts'
import { Choices } from '../golden-choices.ts'
import { readContent, withCopies } from '../golden-databases.ts'
import { openPage, writePage } from '../golden-open.ts'
import { renderGoldenPage } from '../golden-page.ts'
import { choosePending, quotePath, showPath } from '../golden-paths.ts'
import { listPending } from './pending.ts'

const pageRows = 200

export function addReviewCommand(golden: Command): void {
  addCommand(
    golden,
    'review',
    'walk through pending changes: accept, reject, skip, or open both in a browser',
    'unforget golden review',
  ).action((options: CommonOptions) =>
    runCommand(options, (context) => (context.json ? listPending(context) : review(context))),
  )
}

async function review({ output, signal }: Context): Promise<ExitCode> {
  const all = choosePending([])
  if (all.length === 0) {
    await output.line('nothing to review')
    return 0
  }
  if (!canAsk()) {
    await output.write(renderCommands(all))
    return 1
  }
  const done = { a: 0, r: 0, s: 0 }
  using choices = new Choices(signal)
  for (const [index, one] of all.entries()) {
    const answer = await reviewOne(output, choices, one, `${index + 1} of ${all.length}`)
    if (answer === 'q') break
    done[answer]++
  }
  const left = all.filter(({ pending }) => existsSync(pending)).length
  await output.line(`${count(done.a, 'change')} accepted, ${done.r} rejected, ${left} left`)
  return left === 0 ? 0 : 1
}

async function reviewOne(output: Output, choices: Choices, one: PendingGolden, place: string) {
  for (let seen = ''; existsSync(one.pending); ) {
    const state = fingerprint(one.pending)
    const change = readChange(one)
    if (state !== seen) await output.write(renderChange(output, change, place, seen !== ''))
    seen = state
    const answer = await ask(choices, change)
    if (answer === 'o') await open(output, change)
    else if (answer !== 'a' && answer !== 'r') return answer
    else if (existsSync(one.pending) && fingerprint(one.pending) === seen) {
      if (answer === 'a') acceptPending(one)
      else rejectPending(one)
      return answer
    }
  }
  await output.line('It is gone: the test has passed since, or somebody has already decided.')
  return 's'
}

function ask(choices: Choices, { diff }: PendingChange): Promise<'a' | 'r' | 's' | 'o' | 'q'> {
  return diff === null
    ? choices.choose('[r]eject, [s]kip, [q]uit?', ['r', 's', 'q'])
    : choices.choose('[a]ccept, [r]eject, [s]kip, [o]pen in a browser, [q]uit?', ['a', 'r', 's', 'o', 'q'])
}

/** Whether a test has run meanwhile: only what was shown may be decided on. */
const fingerprint = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

function renderChange(output: Output, change: PendingChange, place: string, isAgain: boolean): string {
  const { test, step, golden, diff, problem } = change
  const name = test === null ? '' : `  ${visibleLine(test)}${step === null ? '' : `, ${visibleLine(step)}`}`
  const color = output.paint('red', '') !== ''
  const proposal = proposalFor(change)
  return [
    ...(isAgain ? [output.paint('bold', 'It changed since it was shown:')] : []),
    `${output.paint('bold', place)}${name}`,
    visibleLine(showPath(golden)),
    '',
    diff === null ? visibleLine(problem ?? '') : renderDiff(diff, { color }),
    ...(proposal === null ? [] : ['', 'Only values that change on every run differ. If that is so, add:', proposal]),
    '',
    '',
  ].join('\n')
}

async function open(output: Output, { golden, pending, test, diff }: PendingChange): Promise<void> {
  if (diff === null) return
  const before = existsSync(golden) ? golden : pending
  const page = await withCopies([before, pending], (one, other) =>
    renderGoldenPage({
      title: test ?? showPath(golden),
      diff,
      before: { name: showPath(golden), content: existsSync(golden) ? readContent(one, pageRows) : [] },
      after: { name: showPath(pending), content: readContent(other, pageRows) },
    }),
  )
  const file = writePage(page)
  await output.line(file)
  await openPage(file).catch((error: unknown) => report(error, false))
}

function renderCommands(all: readonly PendingGolden[]): string {
  const blocks = all.map(({ golden, pending }) =>
    [
      visibleLine(showPath(golden)),
      ...(existsSync(golden) ? [`  unforget golden diff ${quotePath(golden)} ${quotePath(pending)}`] : []),
      `  unforget golden accept ${quotePath(pending)}`,
      `  unforget golden reject ${quotePath(pending)}`,
    ].join('\n'),
  )
  return `stdin is not a terminal. To decide on each:\n\n${blocks.join('\n\n')}\n`
}
