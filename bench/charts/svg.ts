type Attributes = Readonly<Record<string, string | number>>

/** An element as text; its children are elements, `text` is escaped. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(written(value))}"`)
  const start = `<${name}${pairs.join('')}`
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`
}

export function label(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return element('text', { x, y, ...attributes }, escapeXml(text))
}

export function line(x1: number, y1: number, x2: number, y2: number, attributes: Attributes): string {
  return element('path', { d: `M${written(x1)} ${written(y1)}L${written(x2)} ${written(y2)}`, ...attributes })
}

export function escapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replaceAll(/[&<>"']/g, (character) => named[character] ?? character)
}

/** A tenth of a pixel is enough, and is the same on every machine. */
function written(value: string | number): string {
  return typeof value === 'number' ? String(Number(value.toFixed(1))) : value
}
