import type { Fields, Part } from './part.ts'

const kinds = /image|file|audio|video|document|media/

/** An image, a file or a sound, by its type and size. It is never shown itself: its address may be on another host. */
export function mediaOf(type: string, part: Fields): Part | null {
  const inline = part['inlineData'] ?? part['inline_data'] ?? part['fileData']
  if (inline === undefined && !kinds.test(type)) return null
  const source = asFields(inline ?? part['source'] ?? part['image_url'] ?? part['input_audio'] ?? part['file'])
  const data = [
    source['data'],
    source['url'],
    source['file_data'],
    part['data'],
    part['image'],
    part['url'],
    part['image_url'],
    part['file_data'],
  ].find((one) => one !== undefined && one !== null)
  const named = [part, source].map(
    (one) => one['mediaType'] ?? one['media_type'] ?? one['mimeType'] ?? one['format'] ?? one['filename'],
  )
  const declared = named.find((one) => typeof one === 'string') as string | undefined
  const label = declared ?? typeInUrl(data) ?? (type === '' ? 'file' : type)
  return { kind: 'media', label, text: isAddress(data) ? String(data) : '', bytes: sizeOf(data) }
}

function sizeOf(data: unknown): number | null {
  if (data instanceof Uint8Array || data instanceof ArrayBuffer) return data.byteLength
  if (typeof data !== 'string' || isAddress(data)) return null
  const encoded = data.slice(data.indexOf(',') + 1)
  const padding = encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0
  return Math.floor((encoded.length * 3) / 4) - padding
}

function typeInUrl(data: unknown): string | undefined {
  return typeof data === 'string' ? /^data:([^;,]{1,80})/.exec(data)?.[1] : undefined
}

function isAddress(data: unknown): boolean {
  return data instanceof URL || (typeof data === 'string' && /^(?!data:)[a-z][a-z0-9+.-]*:/i.test(data))
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
