/** What the child of `runProcess` is asked for. */
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

/** Of an error, what would be lost on the way. */
export interface ErrorDetails {
  readonly name: string
  readonly message: string
  readonly stack: string
  readonly code: string | number | null
}

/** The file descriptor on which the child says that it reached the point, at once and without its event loop. */
export const reachedChannel = 4
