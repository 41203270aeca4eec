/**
 * So much is read, dropped or staged in one go. Each slice is a call of its own, with the whole timeout for itself. 4 MB come over a slow line in time, and
 * decoding them keeps the event loop for a few milliseconds; 1,000 entries are enough that the way to a server does not count.
 */
export const slice = { entries: 1000, bytes: 4_000_000 } as const

/** What counts against a budget of bytes. */
export function sizeOf({ body, bytes }: { readonly body: string; readonly bytes: Uint8Array | null }): number {
  return Buffer.byteLength(body) + (bytes?.length ?? 0)
}

/** Takes from `entries` what fits, in their order. The first always does. */
export function takeWithin<T extends { readonly body: string; readonly bytes: Uint8Array | null }>(
  entries: Iterable<T>,
  maxBytes: number,
): { taken: T[]; bytes: number; more: boolean } {
  const taken: T[] = []
  let bytes = 0
  for (const entry of entries) {
    const size = sizeOf(entry)
    if (taken.length > 0 && bytes + size > maxBytes) return { taken, bytes, more: true }
    bytes += size
    taken.push(entry)
  }
  return { taken, bytes, more: false }
}
