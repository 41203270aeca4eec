/** A request to the child of `runProcess`. */
export interface ProcessRequest {
  readonly module: string
  readonly exportName: string
  readonly path: string
  readonly args: unknown
  readonly killAt: string | null
  readonly deadline: number
}

export type ProcessAnswer =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown; readonly details: ErrorDetails | null }

/** The parts of an error that a message would lose. */
export interface ErrorDetails {
  readonly name: string
  readonly message: string
  readonly stack: string
  readonly code: string | number | null
}

/** The file descriptor on which the child reports that it reached the point, synchronously. */
export const reachedChannel = 4
