/**
 * The most that is read, dropped or staged at once. Each slice is a separate call with the full timeout. 4 MB make it over a slow line in time, and
 * decoding them blocks the event loop for a few milliseconds; with 1,000 entries, the round trip to a server no longer matters.
 */
export const slice = { entries: 1000, bytes: 4_000_000 } as const

/** The size that counts toward a byte budget. */
export function sizeOf({ body, bytes }: { readonly body: string; readonly bytes: Uint8Array | null }): number {
  return Buffer.byteLength(body) + (bytes?.length ?? 0)
}

/** Takes the leading `entries` that fit. The first always does. */
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
