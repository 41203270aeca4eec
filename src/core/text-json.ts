import { MemoryLostError } from './errors.ts'

/** A label or an answer as backends keep it: as JSON, in which any text is well-formed and without NUL. */
export function textToJson(text: string | null): string | null {
  return text === null ? null : JSON.stringify(text)
}

export function textFromJson(session: string, json: string | null): string | null {
  if (json === null) return null
  try {
    return JSON.parse(json) as string
  } catch (cause) {
    throw new MemoryLostError(session, [], 'a label or an answer cannot be read', { cause })
  }
}
