/** A call to the handle in the other process: `open`, `close`, `leave`, or a method of the store. */
export interface Call {
  readonly number: number
  readonly method: string
  readonly parameters: unknown[]
}

export type Answer =
  | { readonly number: number; readonly failed: false; readonly value: Packed }
  | { readonly number: number; readonly failed: true; readonly error: Packed }

/** A value with the properties that a copy would lose: those of errors, and of arrays such as a history. */
interface Packed {
  readonly value: unknown
  readonly properties: Record<string, unknown>
  readonly isError: boolean
}

export function pack(value: unknown): Packed {
  const isError = value instanceof Error
  const properties: Record<string, unknown> = {}
  if (isError || Array.isArray(value)) {
    for (const name of Object.getOwnPropertyNames(value)) {
      if (name === 'length' || name === 'cause' || (!isError && /^\d+$/.test(name))) continue
      const property = (value as unknown as Record<string, unknown>)[name]
      if (typeof property !== 'function' && typeof property !== 'symbol') properties[name] = property
    }
  }
  if (isError) properties['name'] = value.name
  return { value: isError ? null : value, properties, isError }
}

export function revive(packed: Packed): unknown {
  const value = packed.isError ? new Error() : packed.value
  if (typeof value !== 'object' || value === null) return value
  for (const [name, property] of Object.entries(packed.properties)) {
    Object.defineProperty(value, name, { value: property, enumerable: false, configurable: true, writable: true })
  }
  return value
}
