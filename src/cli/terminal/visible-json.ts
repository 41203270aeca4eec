import { escapeHidden } from '../../plain/visible-text.ts'

/** JSON whose strings neither act on a terminal nor end a line; its value is the same. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, carryBytes, indent).split('\n').map(escapeHidden).join('\n')
}

/** Bytes are written as base64, embeddings as numbers. */
function carryBytes(_key: string, value: unknown): unknown {
  if (value instanceof Float32Array) return Array.from(value)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return value
}
