import type { Snapshot } from 'unforget'
import type { ReportB } from './reports.ts'
import { writers } from './rubbish-turn.ts'
import { type Ending, startProcess } from './start-process.ts'

/** What process B is known to have done. `begun` and `acknowledged` are turns, in the order of the reports. */
export interface Killed {
  pid: number
  begun: number[]
  acknowledged: number[]
  saved: Snapshot[]
  ending: Ending
}

/** The first turn, and three of each writer: after the last of them B is about to commit the next ones together. */
const enough = 1 + 3 * writers

/** Lets process B write until enough turns are acknowledged, then kills it with SIGKILL while it goes on writing. */
export async function runUntilKilled(script: string, folder: string): Promise<Killed> {
  const begun: number[] = []
  const acknowledged: number[] = []
  const saved: Snapshot[] = []
  const { pid, kill, ended } = startProcess<ReportB>(script, folder, (report) => {
    if (report.did === 'begin') begun.push(report.turn)
    if (report.did === 'acknowledge') acknowledged.push(report.turn)
    if (report.did === 'save') saved.push(report.snapshot)
    if (acknowledged.length >= enough && begun.length - acknowledged.length === writers) kill()
  })
  return { pid, begun, acknowledged, saved, ending: await ended }
}
