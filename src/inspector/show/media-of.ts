import type { Fields, Part } from './part.ts'

const kinds = /image|file|audio|video|document|media/

/** An image, a file or a sound, by its type and size. It is never shown itself: its address may be on another host. */
export function mediaOf(type: string, part: Fields): Part | null {
  const inline = part['inlineData'] ?? part['inline_data'] ?? part['fileData']
  if (inline === undefined && !kinds.test(type)) return null
  const { source: given, image_url, input_audio, file, data: own, image } = part
  const source = asFields(inline ?? given ?? image_url ?? input_audio ?? file ?? own ?? image)
  const places = ['data', 'url', 'file_data', 'fileUri', 'image', 'image_url', 'file_url']
  const data = [source, part].flatMap((one) => places.map((place) => one[place])).find(isContent)
  const typed = nameIn([part, source], ['mediaType', 'media_type', 'mimeType', 'format'])
  const label = typed ?? typeInUrl(data) ?? nameIn([part, source], ['filename']) ?? (type === '' ? 'file' : type)
  const plain = source['type'] === 'text' ? (source['data'] ?? source['text']) : undefined
  if (typeof plain === 'string') return { kind: 'media', label, text: '', bytes: Buffer.byteLength(plain) }
  return { kind: 'media', label, text: isAddress(data) ? String(data) : '', bytes: sizeOf(data) }
}

function nameIn(places: readonly Fields[], names: readonly string[]): string | undefined {
  const found = places.flatMap((one) => names.map((name) => one[name])).find((one) => typeof one === 'string')
  return typeof found === 'string' ? found : undefined
}

function isContent(value: unknown): boolean {
  return (
    typeof value === 'string' || value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof URL
  )
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
