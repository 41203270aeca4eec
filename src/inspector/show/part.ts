import type { PartView } from '../wire.ts'

export type Fields = { readonly [field: string]: unknown }

/** A part with its whole text. */
export interface Part {
  readonly kind: PartView['kind']
  readonly text: string
  readonly label?: string | null
  readonly id?: string | null
  readonly bytes?: number | null
  readonly failed?: boolean
}
