/** The sizes of the drawing in pixels; drawing.css knows them, too. */
export interface Sizes {
  /** The height of a row, and where in it the line is. */
  readonly row: number
  readonly line: number
  /** The width of what is written to the left of the lines. */
  readonly label: number
}

export const wide: Sizes = { row: 54, line: 34, label: 150 }
export const narrow: Sizes = { row: 72, line: 52, label: 0 }
/** Narrower than this, the words are above the lines. */
export const narrowest = 640
/** The room before and after the log. */
export const edges = { left: 24, right: 46 }
