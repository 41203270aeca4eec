import { fieldsOf } from './fields-of.ts'
import { mediaOf } from './media-of.ts'
import type { Fields, Part } from './part.ts'
import { toText } from './to-text.ts'

/** What a tool returned, as one part. Its images and files are named by type and size. */
export function resultOf(output: unknown, { id, label = null, failed = false }: Omit<Part, 'kind' | 'text'>): Part {
  return { kind: 'result', id: id ?? null, label, failed: failed || isFailure(output), text: textOf(output) }
}

/** The AI SDK says in the type of an output whether it is an error; Gemini has errors in a field. */
function isFailure(output: unknown): boolean {
  const [{ type, error } = {}] = fieldsOf([output])
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied' || (!!error && !type)
}

function textOf(output: unknown): string {
  const parts = fieldsOf(output).filter(({ type }) => typeof type === 'string')
  if (parts.length > 0 && parts.length === (output as unknown[]).length) return parts.map(lineOf).join('\n')
  const [wrapped] = fieldsOf([output])
  const { type, value, reason } = wrapped ?? {}
  if (wrapped === undefined || typeof type !== 'string') return toText(output)
  if (type === 'execution-denied') return `denied${reason === undefined ? '' : `: ${toText(reason)}`}`
  if (type === 'content') return textOf(value)
  const isValue = 'value' in wrapped && /^(?:error-)?(?:text|json)$/.test(type)
  return isValue ? toText(value) : lineOf(wrapped)
}

function lineOf(part: Fields): string {
  const { type, text } = part
  if (typeof type !== 'string') return toText(part)
  if (type.endsWith('text') && typeof text === 'string') return text
  const media = mediaOf(type, part)
  if (media === null) return toText(part)
  const size = typeof media.bytes === 'number' ? `${media.bytes} bytes` : media.text
  return `[${[media.label, size].filter(Boolean).join(', ')}]`
}
