import { types } from 'node:util'
import { InvalidEntryError } from './errors.ts'

/** What JSON has no form for, and what its bytes are: `Uint8Array`, `Float32Array`, `ArrayBuffer`, the text of a `URL`. */
export type BytesKind = 'u8' | 'f32' | 'buffer' | 'url'
export interface CarriedBytes {
  readonly place: readonly (string | number)[]
  readonly kind: BytesKind
  readonly bytes: Uint8Array
}

/** A copy of a value, and the bytes inside it with their places. */
export interface CarriedValue {
  readonly data: unknown
  readonly bytes: CarriedBytes[]
}

/**
 * Copies a value into a form that can be stored and read back unchanged, or throws `InvalidEntryError` with the path to the first thing
 * that cannot. Every property is read once, so what is checked is what is stored. A property that is `undefined` is a missing property; -0 is 0.
 */
export function carryValue(value: unknown, name: string): CarriedValue {
  const carrier = new Carrier(name)
  try {
    return { data: carrier.copyAny(value), bytes: carrier.bytes }
  } catch (error) {
    if (error instanceof RangeError)
      throw new InvalidEntryError(describePlace(name, carrier.place.slice(0, 8)), 'nested too deeply to be stored')
    throw error
  }
}

class Carrier {
  readonly bytes: CarriedBytes[] = []
  readonly place: (string | number)[] = []
  readonly #ancestors: object[] = []
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  copyAny(item: unknown): unknown {
    switch (typeof item) {
      case 'string':
      case 'boolean':
        return item
      case 'number':
        return Number.isFinite(item) ? item : this.#refuse(`${item} cannot be stored`)
      case 'object':
        return item === null ? null : this.#copyObjectOrArray(item)
      default:
        return this.#refuse(`a value of type ${typeof item} cannot be stored`)
    }
  }

  #copyObjectOrArray(object: object): unknown {
    if (ArrayBuffer.isView(object)) {
      if (types.isUint8Array(object)) return this.#carryView('u8', new Uint8Array(object))
      if (types.isFloat32Array(object)) return this.#carryView('f32', new Float32Array(object))
    }
    if (types.isArrayBuffer(object)) return this.#carry('buffer', new Uint8Array(object.slice(0)), object)
    if (object instanceof URL) return this.#carry('url', new TextEncoder().encode(object.href), object)
    if (this.#ancestors.includes(object)) this.#refuse('a cycle cannot be stored')
    if (Object.getOwnPropertySymbols(object).length > 0) this.#refuse('a property named by a symbol cannot be stored')
    const once = Array.isArray(object)
      ? null
      : isPlainObject(object)
        ? { ...object }
        : this.#refuse(`an instance of ${object.constructor?.name ?? 'a class'} cannot be stored; use plain data`)
    if (once !== null && isFlat(once)) return once
    this.#ancestors.push(object)
    const copy = once === null ? this.#copyArray(object as readonly unknown[]) : this.#copyObject(once)
    this.#ancestors.pop()
    return copy
  }

  #copyArray(array: readonly unknown[]): unknown[] {
    if (Object.keys(array).length !== array.length)
      this.#refuse('an array with holes or extra properties cannot be stored')
    const copy: unknown[] = []
    const { length } = array
    for (let index = 0; index < length; index++) {
      this.place.push(index)
      copy.push(this.copyAny(array[index]))
      this.place.pop()
    }
    return copy
  }

  #copyObject(object: Record<string, unknown>): Record<string, unknown> {
    const copy: Record<string, unknown> = {}
    for (const key of Object.keys(object)) {
      this.place.push(key)
      const item = object[key]
      if (item !== undefined) setOwn(copy, key, this.copyAny(item))
      this.place.pop()
    }
    return copy
  }

  /** Of a view that is a copy of its own. */
  #carryView(kind: BytesKind, view: Uint8Array | Float32Array): object {
    return this.#carry(kind, new Uint8Array(view.buffer), view)
  }

  #carry(kind: BytesKind, bytes: Uint8Array, value: object): object {
    if (this.place.length === 0) this.#refuse('expected an object with fields')
    this.bytes.push({ place: [...this.place], kind, bytes })
    return value
  }

  #refuse(reason: string): never {
    throw new InvalidEntryError(describePlace(this.#name, this.place), reason)
  }
}

/** Puts `null` at the places of the bytes, so that the rest is plain JSON data. */
export function takeBytesOut({ data, bytes }: CarriedValue): void {
  for (const { place } of bytes) {
    let holder = data as Record<string | number, unknown>
    for (const step of place.slice(0, -1)) holder = holder[step] as typeof holder
    setOwn(holder, place.at(-1) ?? '', null)
  }
}

/** Sets an own property, whatever its name: assigning to `__proto__` would not. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else (target as Record<string | number, unknown>)[key] = value
}

export function describePlace(name: string, place: readonly PropertyKey[]): string {
  return place.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return /^[A-Za-z_$][\w$]*$/.test(String(key)) ? `${text}.${String(key)}` : `${text}[${JSON.stringify(String(key))}]`
  }, name)
}

/** Whether a copy has nothing in it that is to be copied in turn, left out or refused. Most messages are like this. */
function isFlat(copy: Record<string, unknown>): boolean {
  for (const key of Object.keys(copy)) {
    const item = copy[key]
    if (typeof item !== 'string' && typeof item !== 'boolean' && item !== null) return false
  }
  return true
}

function isPlainObject(object: object): object is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype === null || prototype === Object.prototype) return true
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf')
}
