import { messagePrototypes } from './checkpoint-package.ts'
import type { Stored } from './records.ts'

/**
 * What items of lists looked like when they were stored. Every checkpoint comes with the whole list again, and comparing an item with what it
 * was is far cheaper than serializing it. Whether it is the same object does not matter: a node may have changed it in place, or made it anew.
 */
export class StoredItems {
  readonly #prints = new WeakMap<Stored, Print>()

  /** Whether the item serialized now is this; `false` if only serializing can tell. */
  isStill(item: unknown, stored: Stored): boolean {
    if (!isObject(item)) return isJson(item) && Array.isArray(stored) && stored[0] === item
    const print = this.#prints.get(stored)
    return print !== undefined && matchPrint(print, 0, item) === print.length
  }

  /**
   * Looks at items that are about to be serialized, and returns what to call with how they were stored. What becomes of them in between is
   * a change.
   */
  look(items: readonly unknown[]): (stored: readonly Stored[]) => void {
    const prints = items.map((item) => (isObject(item) ? printOf(item) : undefined))
    return (stored) => {
      for (const [at, print] of prints.entries()) if (print) this.#prints.set(stored[at] as Stored, print)
    }
  }
}

/**
 * Everything that a value's JSON is made from, in one list. A primitive is itself; an object is its prototype, how much it holds, and then
 * each key and value.
 */
type Print = readonly unknown[]

type Values = Readonly<Record<string | number, unknown>>

const deepest = 16

function printOf(item: object): Print | undefined {
  const print: unknown[] = []
  return addPrint(print, item, 0) ? print : undefined
}

/** `false` if the JSON may be made from something that cannot be seen, or if there is none. */
function addPrint(print: unknown[], value: unknown, depth: number): boolean {
  if (!isObject(value)) {
    print.push(value)
    return isJson(value) || value === undefined
  }
  const prototype: object | null = Object.getPrototypeOf(value)
  if (depth > deepest || !isTransparent(prototype)) return false
  if (prototype === Array.prototype) {
    const list = value as readonly unknown[]
    print.push(prototype, list.length)
    for (let at = 0; at < list.length; at++) if (!addPrint(print, list[at], depth + 1)) return false
    return true
  }
  const keys = Object.keys(value)
  print.push(prototype ?? noPrototype, keys.length)
  for (const key of keys) {
    print.push(key)
    if (!addPrint(print, (value as Values)[key], depth + 1)) return false
  }
  return true
}

/** Where the value's part of the print ends; -1 if it is another value's. */
function matchPrint(print: Print, start: number, value: unknown): number {
  if (!isObject(value)) return Object.is(print[start], value) ? start + 1 : -1
  const prototype: object | null = Object.getPrototypeOf(value)
  if (print[start] !== (prototype ?? noPrototype)) return -1
  let next = start + 2
  if (prototype === Array.prototype) {
    const list = value as readonly unknown[]
    if (print[start + 1] !== list.length) return -1
    for (let at = 0; at < list.length && next > 0; at++) next = matchPrint(print, next, list[at])
    return next
  }
  const keys = Object.keys(value)
  if (print[start + 1] !== keys.length) return -1
  for (let at = 0; at < keys.length && next > 0; at++) {
    const key = keys[at] as string
    next = print[next] === key ? matchPrint(print, next + 1, (value as Values)[key]) : -1
  }
  return next
}

/** A value may be `null`, so the prototype of an object without one is not. */
const noPrototype = {}

/** Whether all that is serialized of an object with this prototype is in its enumerable properties. */
function isTransparent(prototype: object | null): boolean {
  return (
    prototype === Object.prototype ||
    prototype === Array.prototype ||
    prototype === null ||
    messagePrototypes.has(prototype)
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether it is a primitive that JSON holds as it is. */
function isJson(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}
