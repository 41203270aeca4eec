import { MemoryLostError } from './errors.ts'
import type { Path, Range } from './path.ts'

/**
 * A path as differences: how far each range starts after the end of the previous one, and its length: `[[1, 5], [9, null]]` is `[1,4,4,null]`. Every
 * rollback keeps a path, which may be long; small numbers shrink it to a third of the bytes.
 */
export function pathToText(path: Path): string {
  const steps: (number | null)[] = []
  let before = 0
  for (const [from, to] of path) {
    steps.push(from - before, to === null ? null : to - from)
    before = to ?? from
  }
  return JSON.stringify(steps)
}

export function pathFromText(session: string, text: string | null | undefined): Path {
  if (text === null || text === undefined) throw new MemoryLostError(session, [], 'its path is missing')
  const steps = parseSteps(session, text)
  const isStep = (step: unknown, index: number) => Number.isInteger(step) || (step === null && index % 2 === 1)
  if (!Array.isArray(steps) || steps.length % 2 !== 0 || !steps.every(isStep)) {
    throw new MemoryLostError(session, [], 'its path cannot be read')
  }
  const path: Range[] = []
  let before = 0
  for (let index = 0; index < steps.length; index += 2) {
    const [step, length] = steps.slice(index, index + 2) as [number, number | null]
    const from = before + step
    before = from + (length ?? 0)
    path.push([from, length === null ? null : before])
  }
  return path
}

function parseSteps(session: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new MemoryLostError(session, [], 'a path cannot be read', { cause })
  }
}
