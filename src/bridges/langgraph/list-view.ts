import type { Codec } from './codec.ts'
import type { ListStep, Stored } from './records.ts'

/** A number of items, beginning at `start`. Lists that only grow, or move on like a window, share their items. */
export interface ListView {
  readonly items: Stored[]
  readonly start: number
  readonly length: number
  /** The JSON of the whole list, while somebody may compare with it. */
  json?: Buffer | undefined
}

const comma = 0x2c
/** How many bytes of a list's beginning are searched for in the base: more than messages have in common. */
const needleLength = 400

/** The list that the steps make of the base's. Items are appended in place if the base ends with the last of them. */
export function followSteps(base: ListView | undefined, steps: readonly ListStep[]): ListView {
  const [first, ...others] = steps
  if (base && first !== undefined && others.length === 0) {
    const [from, count, ...added] = first
    const { items, start, length } = base
    if (from + count === length && start + length === items.length) {
      for (const item of added) items.push(item)
      return { items, start: start + from, length: count + added.length }
    }
  }
  const items = itemsAfter(base, steps)
  return { items, start: 0, length: items.length }
}

function itemsAfter(base: ListView | undefined, steps: readonly ListStep[]): Stored[] {
  const before = base ? itemsOf(base) : []
  return steps.flatMap(([from, count, ...added]) => [...before.slice(from, from + count), ...added])
}

export function itemsOf({ items, start, length }: ListView): Stored[] {
  return start === 0 && length === items.length ? items : items.slice(start, start + length)
}

/** How a list comes from the base's; `json` is that of the whole list, if it was made. */
export async function stepsTo(
  list: readonly unknown[],
  base: ListView | undefined,
  codec: Codec,
  place: string,
): Promise<{ steps: ListStep[]; json?: Buffer }> {
  if (!codec.isPlain) {
    const dumped = await Promise.all(list.map((item, index) => codec.dump(item, `${place}[${index}]`)))
    const texts = await Promise.all((base ? itemsOf(base) : []).map((item) => codec.textOf(item)))
    return { steps: compare(texts, dumped) }
  }
  return (base && (await grownFrom(base, list, codec, place))) ?? wholeStepsTo(list, base, codec, place)
}

/** If the list begins with the items that the base ends with, and none of them was changed, only those after them are serialized. */
async function grownFrom(
  base: ListView,
  list: readonly unknown[],
  codec: Codec,
  place: string,
): Promise<{ steps: ListStep[] } | undefined> {
  const before = itemsOf(base)
  const from = before.findIndex((stored) => codec.items.isStill(list[0], stored))
  const count = before.length - from
  if (from < 0 || count > list.length) return undefined
  for (let at = 1; at < count; at++) {
    if (!codec.items.isStill(list[at], before[from + at] as Stored)) return undefined
  }
  if (count === list.length) return { steps: [[from, count]] }
  const others = list.slice(count)
  const remember = codec.items.look(others)
  const added = parseJson(await codec.dumpList(others, place)).map((value): Stored => [value])
  remember(added)
  return { steps: [[from, count, ...added]] }
}

async function wholeStepsTo(
  list: readonly unknown[],
  base: ListView | undefined,
  codec: Codec,
  place: string,
): Promise<{ steps: ListStep[]; json: Buffer }> {
  const remember = codec.items.look(list)
  const json = await codec.dumpList(list, place)
  const steps = await stepsToJson(json, base, codec)
  remember(itemsAfter(base, steps))
  return { steps, json }
}

async function stepsToJson(json: Buffer, base: ListView | undefined, codec: Codec): Promise<ListStep[]> {
  const step = base && stepOver(base, json)
  if (step) return [step]
  const dumped = parseJson(json).map((value) => ({ stored: [value] as const, text: JSON.stringify(value) }))
  const texts = await Promise.all((base ? itemsOf(base) : []).map((item) => codec.textOf(item)))
  return compare(texts, dumped)
}

/**
 * One step, if the list begins with all of the base's items or, as a sliding window does, with all but the first ones. Compares bytes,
 * as that is what long lists cost.
 */
function stepOver(base: ListView, json: Buffer): ListStep | undefined {
  if (base.length === 0 || json.length === 2) return undefined
  const before = base.json ?? jsonOf(base)
  base.json = before
  if (before === undefined) return undefined
  const start = before.indexOf(json.subarray(1, 1 + needleLength))
  if (start < 1 || (start > 1 && before[start - 1] !== comma)) return undefined
  const shared = before.length - 1 - start
  if (json.length < shared + 2 || json.compare(before, start, start + shared, 1, 1 + shared) !== 0) return undefined
  const isEnd = json.length === shared + 2
  if (!isEnd && json[1 + shared] !== comma) return undefined
  const skipped = start === 1 ? [] : parseList(before.toString('utf8', 1, start - 1))
  if (skipped === undefined) return undefined
  const added = isEnd ? [] : (parseList(json.toString('utf8', 2 + shared, json.length - 1)) ?? [])
  return [skipped.length, base.length - skipped.length, ...added.map((value): Stored => [value])]
}

function parseJson(list: Buffer): unknown[] {
  return JSON.parse(list.toString()) as unknown[]
}

/** `undefined` if the text ends within an item. */
function parseList(items: string): unknown[] | undefined {
  try {
    return JSON.parse(`[${items}]`) as unknown[]
  } catch {
    return undefined
  }
}

function jsonOf(view: ListView): Buffer | undefined {
  const values: unknown[] = []
  for (const item of itemsOf(view)) {
    if (!Array.isArray(item)) return undefined
    values.push(item[0])
  }
  return Buffer.from(JSON.stringify(values))
}

interface Item {
  readonly stored: Stored
  readonly text: string | null
}

/** Runs of the base's items, wherever they are in it, and what is new between them. */
function compare(base: readonly (string | null)[], items: readonly Item[]): ListStep[] {
  const places = new Map<string, number>()
  base.forEach((text, index) => {
    if (text !== null && !places.has(text)) places.set(text, index)
  })
  const steps: [number, number, ...Stored[]][] = []
  let next = 0
  for (const { stored, text } of items) {
    const step = steps.at(-1)
    const place = text === null ? undefined : base[next] === text ? next : places.get(text)
    if (place === undefined) {
      if (step) step.push(stored)
      else steps.push([0, 0, stored])
      continue
    }
    if (step !== undefined && step.length === 2 && place === step[0] + step[1]) step[1] += 1
    else steps.push([place, 1])
    next = place + 1
  }
  return steps
}
