/** A step into a JSON value: the name of a member, the index of an element, or every element. */
export type JsonStep = string | number | typeof everyElement

export const everyElement = Symbol('every element')

const step = /\.(?:([^.[\]"]+)|("(?:[^"\\]|\\.)*"))|\[(?:(\d+)|(\*))\]/y

/** Parses `$.items[*].id`, `$[0]` or `$."a b"`; null if it is something else. */
export function parseJsonPath(text: string): JsonStep[] | null {
  if (!text.startsWith('$')) return null
  const steps: JsonStep[] = []
  for (step.lastIndex = 1; step.lastIndex < text.length; ) {
    const found = step.exec(text)
    if (found === null) return null
    const [, name, quoted, index] = found
    if (name !== undefined) steps.push(name)
    else if (quoted !== undefined) steps.push(JSON.parse(quoted) as string)
    else steps.push(index === undefined ? everyElement : Number(index))
  }
  return steps
}

/** The path in which every index stands for all elements: what holds for one usually holds for its neighbors. */
export function showJsonPath(path: readonly (string | number)[]): string {
  const steps = path.map((one) => {
    if (typeof one === 'number') return '[*]'
    return /^[^.[\]"\\\p{C}]+$/u.test(one) ? `.${one}` : `.${JSON.stringify(one)}`
  })
  return `$${steps.join('')}`
}

export function isAtPath(path: readonly (string | number)[], pattern: readonly JsonStep[]): boolean {
  if (path.length !== pattern.length) return false
  return pattern.every((one, index) => {
    const actual = path[index]
    return one === everyElement ? typeof actual === 'number' : one === actual
  })
}
