import { messagePrototypes } from './checkpoint-package.ts'
import type { Stored } from './records.ts'

/**
 * How items of lists were stored. LangGraph hands over the same objects with every checkpoint, and comparing one with what it was is far
 * cheaper than serializing it again. That it is the same object says nothing: a node may have changed it in place.
 */
export class StoredItems {
  readonly #known = new WeakMap<object, { readonly print: Print; readonly stored: readonly Stored[] }>()

  /** Where in a list the item is, if it is there as it was last seen, whatever has become of it since; otherwise -1. */
  placeOf(item: unknown, list: readonly Stored[]): number {
    const stored = isObject(item) ? (this.#known.get(item)?.stored ?? []) : []
    return stored.reduce((found, one) => (found < 0 ? list.indexOf(one) : found), -1)
  }

  /** Whether the item serialized now is this; `false` if only serializing can tell. */
  isStill(item: unknown, stored: Stored): boolean {
    if (!isObject(item)) return isJson(item) && Array.isArray(stored) && stored[0] === item
    const known = this.#known.get(item)
    return known?.stored.includes(stored) === true && hasPrint(item, known.print)
  }

  /**
   * Looks at items that are about to be serialized, and returns what to call with how they were stored. What becomes of them in between is
   * a change.
   */
  look(items: readonly unknown[]): (stored: readonly Stored[]) => void {
    const prints = items.map((item) => (isObject(item) ? this.#printOf(item) : undefined))
    return (stored) => {
      for (const [at, print] of prints.entries()) {
        if (print) this.#remember(items[at] as object, print, stored[at] as Stored)
      }
    }
  }

  /** An item can be in several lists, as those of a graph and its subgraphs. */
  #remember(item: object, print: Print, stored: Stored): void {
    const known = this.#known.get(item)
    const others = known?.print === print ? known.stored.filter((one) => one !== stored) : []
    this.#known.set(item, { print, stored: [stored, ...others].slice(0, mostLists) })
  }

  #printOf(item: object): Print | undefined {
    const known = this.#known.get(item)?.print
    if (known && hasPrint(item, known)) return known
    this.#known.delete(item)
    const print: unknown[] = []
    return addPrint(print, item, 0) ? print : undefined
  }
}

/**
 * Everything that a value's JSON is made from, in one list. A primitive is itself; an object is its prototype, how much it holds, and then
 * each key and value.
 */
type Print = readonly unknown[]

type Values = Readonly<Record<string | number, unknown>>

const deepest = 16
const mostLists = 4

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

function hasPrint(value: object, print: Print): boolean {
  return matchPrint(print, 0, value) === print.length
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
