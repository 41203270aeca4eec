/** What the row of a session says about its lists. */
export interface ListSums {
  summary_sum: number
  snapshot_sum: number
  operation_sum: number
  about_sum: number
  /** Operations up to this number have no checksum. */
  unchecked_operations: number
}

export function copySums(sums: ListSums): ListSums {
  const { summary_sum, snapshot_sum, operation_sum, about_sum, unchecked_operations } = sums
  return { summary_sum, snapshot_sum, operation_sum, about_sum, unchecked_operations }
}

export const noSums: ListSums = {
  summary_sum: 0,
  snapshot_sum: 0,
  operation_sum: 0,
  about_sum: 0,
  unchecked_operations: 0,
}
