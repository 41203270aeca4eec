/** A line, numbered from 1, and the bytes read with it. */
export interface Line {
  readonly number: number
  readonly bytes: Buffer
  readonly read: number
}

/** Splits only at line feeds; the last line needs none. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0
  let read = 0
  let open: Buffer[] = []
  const take = (last: Buffer): Line => {
    const bytes = open.length === 0 ? last : Buffer.concat([...open, last])
    open = []
    number += 1
    read += bytes.length + 1
    return { number, bytes, read }
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield take(chunk.subarray(start, end))
      start = end + 1
    }
    if (start < chunk.length) open.push(chunk.subarray(start))
  }
  if (open.length > 0) yield take(Buffer.alloc(0))
}
