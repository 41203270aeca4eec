import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { acceptPending, type PendingGolden, rejectPending } from '../../../golden/files/golden-files.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, report, runCommand } from '../../command/run-command.ts'
import { canAsk } from '../../terminal/ask.ts'
import type { Output } from '../../terminal/output.ts'
import { count } from '../../terminal/wording.ts'
import { nameOf, type PendingChange, readChange } from '../golden-changes.ts'
import { Choices } from '../golden-choices.ts'
import { readContent, withCopies } from '../golden-databases.ts'
import { fingerprintOf, groupPending, type SeenPending } from '../golden-groups.ts'
import { openPage, writePage } from '../golden-open.ts'
import { renderGoldenPage } from '../golden-page.ts'
import { choosePending, showPath, whereOf } from '../golden-paths.ts'
import { renderChange, renderCommands, renderGroup } from '../golden-review.ts'
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
    await output.write(renderCommands(groupPending(all)))
    return 1
  }
  const done = { a: 0, r: 0, s: 0 }
  using choices = new Choices(signal)
  const reviewer = { output, choices, done }
  let place = 0
  for (const group of groupPending(all)) {
    const range = group.length === 1 ? `${place + 1}` : `${place + 1}–${place + group.length}`
    place += group.length
    if (!(await reviewGroup(reviewer, group, `${range} of ${all.length}`))) break
  }
  const left = all.filter(({ pending }) => existsSync(pending)).length
  await output.line(`${count(done.a, 'change')} accepted, ${done.r} rejected, ${left} left`)
  return left === 0 ? 0 : 1
}

interface Reviewer {
  readonly output: Output
  readonly choices: Choices
  readonly done: { a: number; r: number; s: number }
}

/** Returns false to quit. */
async function reviewGroup(reviewer: Reviewer, group: readonly SeenPending[], place: string): Promise<boolean> {
  const { output, choices, done } = reviewer
  if (group.length === 1) return reviewEach(reviewer, group, place)
  const changes = group.filter(({ pending }) => existsSync(pending)).map(readChange)
  const [first] = changes
  if (first === undefined) return true
  await output.write(renderGroup(output, changes, place))
  for (;;) {
    const question = `[a]ccept all ${group.length}, [r]eject all ${group.length}, [e]ach by itself, [s]kip, [o]pen the first in a browser, [q]uit?`
    const answer = await choices.choose(question, ['a', 'r', 'e', 's', 'o', 'q'])
    if (answer === 'q') return false
    if (answer === 'e') return reviewEach(reviewer, group, place)
    if (answer === 's') return true
    if (answer === 'o') await open(output, first)
    else {
      const unchanged = group.filter(isAsSeen)
      for (const one of unchanged) decide(one, answer)
      done[answer] += unchanged.length
      return reviewEach(
        reviewer,
        group.filter((one) => !unchanged.includes(one)),
        place,
      )
    }
  }
}

async function reviewEach(reviewer: Reviewer, group: readonly SeenPending[], place: string): Promise<boolean> {
  for (const one of group) {
    const answer = await reviewOne(reviewer, one, place)
    if (answer === 'q') return false
    reviewer.done[answer]++
  }
  return true
}

async function reviewOne({ output, choices }: Reviewer, one: PendingGolden, place: string) {
  for (let seen = ''; existsSync(one.pending); ) {
    const state = fingerprintOf(one.pending)
    const change = readChange(one)
    if (state !== seen) await output.write(renderChange(output, change, place, seen !== ''))
    seen = state
    const answer = await ask(choices, change)
    if (answer === 'o') await open(output, change)
    else if (answer !== 'a' && answer !== 'r') return answer
    else if (isAsSeen({ ...one, fingerprint: seen })) {
      decide(one, answer)
      return answer
    }
  }
  await output.line('It is gone: the test has passed since, or somebody has already decided.')
  return 's'
}

const isAsSeen = ({ pending, fingerprint }: SeenPending) =>
  existsSync(pending) && fingerprintOf(pending) === fingerprint

function decide(one: PendingGolden, answer: 'a' | 'r'): void {
  if (answer === 'a') acceptPending(one)
  else rejectPending(one)
}

function ask(choices: Choices, { diff }: PendingChange): Promise<'a' | 'r' | 's' | 'o' | 'q'> {
  return diff === null
    ? choices.choose('[r]eject, [s]kip, [q]uit?', ['r', 's', 'q'])
    : choices.choose('[a]ccept, [r]eject, [s]kip, [o]pen in a browser, [q]uit?', ['a', 'r', 's', 'o', 'q'])
}

async function open(output: Output, change: PendingChange): Promise<void> {
  const { golden, pending, diff, notApplied } = change
  if (diff === null) return
  const before = existsSync(golden) ? golden : pending
  const page = await withCopies([before, pending], (one, other) =>
    renderGoldenPage({
      title: nameOf(change) ?? showPath(golden),
      where: whereOf(golden),
      diff,
      notApplied,
      before: { name: 'golden', content: existsSync(golden) ? readContent(one, pageRows) : [] },
      after: { name: 'pending', content: readContent(other, pageRows) },
    }),
  )
  const file = writePage(page)
  await output.line(file)
  await openPage(file).catch((error: unknown) => report(error, false))
}
