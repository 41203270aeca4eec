import { isDeepStrictEqual } from 'node:util'
import type { Entry, ListedSnapshot, Recalled, Verified } from 'unforget'
import { bitsOf } from './bits-of.ts'
import { bodyOf } from './body-of.ts'
import { rubbishTurn } from './rubbish-turn.ts'
import type { Ending } from './start-process.ts'

/** Something that must be true of what a process did. `expected` and `seen` are there to be read when it is not. */
export interface Check {
  claim: string
  held: boolean
  expected: string
  seen: string
}

export function checkEnding(claim: string, expected: Ending, seen: Ending): Check {
  return { claim, held: isDeepStrictEqual(expected, seen), expected: say(expected), seen: say(seen) }
}

/** The same items in the same order, down to the last bit of an embedding. */
export function checkSame(claim: string, expected: readonly unknown[], seen: readonly unknown[]): Check {
  const length = Math.max(expected.length, seen.length)
  const differs = Array.from({ length }, (_, index) => index).find(
    (index) => !isDeepStrictEqual(expected[index], seen[index]),
  )
  const tell = (list: readonly unknown[]) =>
    differs === undefined ? `${list.length} items` : `${list.length} items, at ${differs + 1} ${say(list[differs])}`
  return { claim, held: differs === undefined, expected: tell(expected), seen: tell(seen) }
}

/** Some turns were acknowledged before the kill, and some were begun and not acknowledged. */
export function checkInFlight(begun: readonly number[], acknowledged: readonly number[]): Check {
  return {
    claim: 'it was killed in the middle of writing',
    held: acknowledged.length > 0 && begun.some((turn) => !acknowledged.includes(turn)),
    expected: 'at least one turn acknowledged and at least one begun and not acknowledged',
    seen: `begun: ${say(begun)}, acknowledged: ${say(acknowledged)}`,
  }
}

/** `rubbish` is what the file contains after A's conversation. */
export function checkAcknowledged(acknowledged: readonly number[], rubbish: readonly Entry[]): Check {
  const missing = acknowledged.filter((turn) => {
    const messages = rubbish.filter((entry) => turnOf(entry) === turn).map(bodyOf)
    return !isDeepStrictEqual(messages, rubbishTurn(turn))
  })
  return {
    claim: `all ${acknowledged.length} acknowledged turns of B are there`,
    held: acknowledged.length > 0 && missing.length === 0,
    expected: `each once and whole: ${say(acknowledged)}`,
    seen: missing.length === 0 ? 'each of them' : `missing or not whole: ${say(missing)}`,
  }
}

/** A turn that was in flight may be there or not, but never a part of it, and never one that nobody wrote. */
export function checkWholeTurns(begun: readonly number[], rubbish: readonly Entry[]): Check {
  const turns = [...new Set(rubbish.map(turnOf))].filter((turn) => turn !== undefined && begun.includes(turn))
  const claim = `no turn is there by half: ${turns.length} whole ones of the ${begun.length} begun`
  return checkSame(
    claim,
    turns.flatMap((turn) => rubbishTurn(turn ?? 0)),
    rubbish.map(bodyOf),
  )
}

/** Compares what names a snapshot and how much it reads; the time it was made says nothing here. */
export function checkSnapshots(expected: readonly Omit<ListedSnapshot, 'at'>[], listed: ListedSnapshot[]): Check {
  return checkSame(
    `all ${expected.length} snapshots are there, the saved and the automatic ones`,
    expected.map(({ id, label, automatic, entries }) => ({ id, label, automatic, entries })),
    listed.map(({ id, label, automatic, entries }) => ({ id, label, automatic, entries })),
  )
}

export function checkVerified({ ok, sessions, damage }: Verified): Check {
  return {
    claim: 'verify() finds no damage',
    held: ok && sessions === 1 && damage.length === 0,
    expected: 'one session, no damage',
    seen: `ok: ${ok}, sessions: ${sessions}, damage: ${say(damage)}`,
  }
}

export function checkRecalled(expected: { text: string; embedding: Float32Array }, recalled: Recalled[]): Check {
  const tell = (text: string, embedding: Float32Array | undefined) =>
    `${say(text)} ${embedding ? bitsOf(embedding) : ''}`
  const wanted = tell(expected.text, expected.embedding)
  const found = recalled.map(({ summary }) => tell(summary.text, summary.embedding))
  return {
    claim: 'recall() finds the summary, its embedding the same bit by bit',
    held: isDeepStrictEqual(found, [wanted]),
    expected: wanted,
    seen: found.length === 0 ? 'no summary' : found.join(', '),
  }
}

export function checkSeparate(pids: readonly number[]): Check {
  return {
    claim: `these were ${pids.length} different processes`,
    held: new Set(pids).size === pids.length,
    expected: `${pids.length} different pids`,
    seen: say(pids),
  }
}

function turnOf(entry: Entry): number | undefined {
  const metadata: Record<string, unknown> = (entry.kind === 'message' && entry.message.metadata) || {}
  const { turn } = metadata
  return typeof turn === 'number' ? turn : undefined
}

function say(value: unknown): string {
  const bits = (_: string, each: unknown) => (each instanceof Float32Array ? bitsOf(each) : each)
  const text = JSON.stringify(value, bits) ?? 'nothing'
  return text.length > 300 ? `${text.slice(0, 300)} …` : text
}
