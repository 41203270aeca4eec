import { readFileSync, writeFileSync } from 'node:fs'
import { describeMachine, type Machine } from './machine.ts'
import { renderPage } from './render-page.ts'

/** What one part of one run did and found. */
export interface PartRun {
  readonly part: string
  readonly date: string
  readonly seed: number
  readonly seconds: number
  readonly figures: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

export interface Results {
  readonly machine: Machine
  readonly runs: readonly PartRun[]
}

const file = new URL('../results.json', import.meta.url)
const page = new URL('../../docs/reliability.md', import.meta.url)

/** Adds to what earlier runs of this version did, and writes the page from all of it. What another version did is dropped. */
export function addToResults(runs: readonly PartRun[]): void {
  const machine = describeMachine()
  const earlier = readResults()
  const ofThisVersion = earlier.machine.unforget === machine.unforget ? earlier.runs : []
  const results: Results = { machine, runs: [...ofThisVersion, ...runs] }
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(page, renderPage(results))
}

export function readResults(): Results {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Results
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    return { machine: describeMachine(), runs: [] }
  }
}
