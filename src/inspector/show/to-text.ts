export function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : toJson(value)
}

/** Bytes are written as base64, embeddings as numbers. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, carryBytes, indent)
}

function carryBytes(_key: string, value: unknown): unknown {
  if (value instanceof Float32Array) return Array.from(value)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return value instanceof ArrayBuffer ? { base64: Buffer.from(value).toString('base64') } : value
}
