/** A row of `read_session` or `read_snapshots`. */
export interface PartRow {
  readonly part:
    | 'lost'
    | 'expired'
    | 'head'
    | 'about'
    | 'operation'
    | 'snapshot'
    | 'epoch'
    | 'automatic'
    | 'more'
    | 'entry'
    | 'summary'
  readonly seq: number
  readonly at: number
  readonly format: number
  readonly kind: string | null
  readonly body: string | null
  readonly bytes: Buffer | null
}
