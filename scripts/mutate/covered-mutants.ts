import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'

/** A place in a file of the store. */
export interface Place {
  readonly file: string
  readonly start: number
}

/**
 * Tells which places of the store may have run since it was asked last: those in a function that was called. What V8 says about the blocks in it is
 * wrong after a condition with an `await` in it.
 */
export class CoverageOf {
  readonly #session = new Session()
  readonly #folder: string
  readonly #places = new Map<string, { readonly start: number; readonly index: number }[]>()

  constructor(folder: string, places: readonly Place[]) {
    this.#folder = folder
    for (const [index, { file, start }] of places.entries()) {
      const list = this.#places.get(file) ?? []
      list.push({ start, index })
      this.#places.set(file, list)
    }
  }

  async begin(): Promise<void> {
    this.#session.connect()
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  }

  /** The indexes of the places. */
  async take(): Promise<number[]> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    return result.flatMap(({ url, functions }) => {
      const [, file = ''] = url.split(`${this.#folder}/`)
      const ranges = functions.flatMap((one) => one.ranges).filter(isSomewhere)
      return (this.#places.get(file) ?? []).filter(({ start }) => hasRun(ranges, start)).map(({ index }) => index)
    })
  }
}

function isSomewhere({ startOffset, endOffset }: Profiler.CoverageRange): boolean {
  return endOffset > startOffset
}

/** The innermost function says it. */
function hasRun(ranges: readonly Profiler.CoverageRange[], place: number): boolean {
  let innermost: Profiler.CoverageRange | undefined
  for (const range of ranges) {
    const { startOffset, endOffset } = range
    if (startOffset > place || endOffset <= place) continue
    if (innermost === undefined || endOffset - startOffset <= innermost.endOffset - innermost.startOffset)
      innermost = range
  }
  return (innermost?.count ?? 0) > 0
}
