const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const tag = /<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y

/** The root and the texts of a document. Throws if it is not well-formed: tags that do not match, attributes without quotes, `&` or `<` as text. */
export function readXml(text: string): { root: string; texts: string[] } {
  const open: string[] = []
  const texts: string[] = []
  let root = ''
  let place = 0
  while (place < text.trimEnd().length) {
    const next = text.indexOf('<', place)
    const between = text.slice(place, next === -1 ? undefined : next)
    if (between.trim() !== '') texts.push(decode(between))
    if (next === -1) throw new Error('the text goes on after the root')
    tag.lastIndex = next
    const [whole, closing, name = '', attributes = '', empty] = tag.exec(text) ?? []
    if (whole === undefined) throw new Error(`no tag: ${text.slice(next, next + 60)}`)
    decode(attributes)
    if (root === '') root = name
    else if (open.length === 0) throw new Error(`a second root: ${name}`)
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`${name} is closed where it is not open`)
    } else if (empty !== '/') open.push(name)
    place = next + whole.length
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`)
  return { root, texts }
}

function decode(text: string): string {
  return text.replaceAll(/&([^;&\s]*;?)/g, (all, name: string) => {
    const character = entities[name.slice(0, -1)]
    if (!name.endsWith(';') || character === undefined) throw new Error(`not an entity: ${all}`)
    return character
  })
}
