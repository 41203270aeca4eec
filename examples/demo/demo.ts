import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bitsOf } from './bits-of.ts'
import { bodyOf } from './body-of.ts'
import {
  checkAcknowledged,
  checkEnding,
  checkInFlight,
  checkRecalled,
  checkSame,
  checkSeparate,
  checkSnapshots,
  checkVerified,
  checkWholeTurns,
} from './checks.ts'
import { conversation } from './conversation.ts'
import { Narrator } from './narrator.ts'
import type { ReportA, ReportC, ReportD } from './reports.ts'
import { rubbishTurn } from './rubbish-turn.ts'
import { runToEnd } from './run-to-end.ts'
import { runUntilKilled } from './run-until-killed.ts'

const { question, toolCall, answer, summary, label } = conversation
const { NO_COLOR = '' } = process.env
const narrator = new Narrator(console.log, process.stdout.isTTY === true && NO_COLOR === '')
const folder = await mkdtemp(join(tmpdir(), 'unforget-demo-'))
const file = join(folder, conversation.url.slice('sqlite:'.length))

async function tellStory(): Promise<void> {
  narrator.say('Once a rollback wiped the snapshots of an agent, and its memory was gone. The same steps, on one file:')

  const a = await runToEnd<ReportA>('process-a.ts', folder)
  const { entries: good, snapshot } = a.report
  narrator.step(
    'A',
    a.pid,
    `held a conversation with a tool call, summarized it, saved the snapshot "${label}", exited.`,
  )
  narrator.history('the history', good)
  narrator.check(checkSame('A reads what it wrote', [...question, toolCall, ...answer, summary], good.map(bodyOf)))

  const b = await runUntilKilled('process-b.ts', folder)
  const counts = `${b.acknowledged.length} turns acknowledged, ${b.begun.length - b.acknowledged.length} in flight`
  narrator.step('B', b.pid, `saved "B was here", wrote rubbish and was killed while writing: ${counts}.`)
  narrator.check(checkEnding('it ended by SIGKILL', { code: null, signal: 'SIGKILL' }, b.ending))
  narrator.check(checkInFlight(b.begun, b.acknowledged))

  const c = await runToEnd<ReportC>('process-c.ts', folder)
  const { found, first, second, third } = c.report
  const rubbish = found.slice(good.length)
  narrator.step('C', c.pid, 'opened the file that B left.')
  narrator.glimpse('the history before the rollback', found)
  narrator.check(checkSame("A's conversation is untouched", good, found.slice(0, good.length)))
  narrator.check(checkAcknowledged(b.acknowledged, rubbish))
  narrator.check(checkWholeTurns(b.begun, rubbish))
  narrator.step('C', c.pid, `rolled back to "${label}".`)
  narrator.glimpse('the history after the rollback', first.entries)
  narrator.check(checkSame('it is exactly what A saved', good, first.entries))
  narrator.step('C', c.pid, 'rolled back the rollback, to the automatic snapshot of what that left.')
  narrator.glimpse('the history after that', second.entries)
  narrator.check(checkSame('it is exactly what C had found', found, second.entries))
  narrator.step('C', c.pid, `rolled back to "${label}" once more, to leave the good state, and exited.`)
  narrator.check(checkSame('it is exactly what A saved', good, third.entries))

  const d = await runToEnd<ReportD>('process-d.ts', folder)
  const { entries, snapshots, verified, recalled } = d.report
  narrator.step('D', d.pid, 'opened the file and listed its snapshots.')
  narrator.list(
    'the snapshots, oldest first:',
    snapshots.map((each) => `${String(each.entries).padStart(3)} entries  ${each.label ?? '(automatic)'}`),
  )
  const automatic = { label: null, automatic: true }
  const expected = [
    { ...snapshot, entries: good.length },
    ...b.saved.map((saved) => ({ ...saved, entries: good.length + rubbishTurn(1).length })),
    { ...automatic, id: first.leftBehind, entries: found.length },
    { ...automatic, id: second.leftBehind, entries: good.length },
    { ...automatic, id: third.leftBehind, entries: found.length },
  ]
  narrator.check(checkSnapshots(expected, snapshots))
  narrator.step('D', d.pid, `read everything that must be there, with verify(): ${verified.entries} entries.`)
  narrator.check(checkVerified(verified))
  narrator.step('D', d.pid, 'asked recall() for what is nearest to a question, and exited.')
  for (const { score, summary } of recalled) {
    narrator.list(`score ${score.toFixed(3)}: ${summary.text}`, [bitsOf(summary.embedding ?? new Float32Array())])
  }
  narrator.check(checkRecalled(summary, recalled))
  narrator.history('the history at the end', entries)
  narrator.check(checkSame('it is exactly what A saved', good, entries))
  narrator.check(checkSeparate([a.pid, b.pid, c.pid, d.pid]))
}

try {
  await tellStory()
} catch (error) {
  narrator.check({ claim: 'the story ran to its end', held: false, expected: 'no error', seen: String(error) })
}
process.exitCode = narrator.end(file)
