import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest begins first, so that no core waits at the end. Vitest itself goes by what it remembers, and by the size of files. */
const longest = [
  /^test\/(conformance\/goldfish|backends\/large-turns)/,
  /^test\/(conformance\/(own-|honest-stores|needs)|backends\/(differential|sqlite\/bit-flips))/,
  /^test\/(bench|golden\/projects)\//,
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const file = relative(process.cwd(), moduleId)
  const place = longest.findIndex((pattern) => pattern.test(file))
  return place === -1 ? longest.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
