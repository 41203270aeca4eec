import type { Action, SessionView } from '../../src/inspector/wire.ts'
import type { Station } from '../drawing/stations.ts'

/** An action without the session and the version, which the dialog adds. */
export type Ready = Action extends infer One ? (One extends Action ? Omit<One, 'session' | 'ifVersion'> : never) : never

/** What a form of the dialog gets: it shows what will change, and says when it can be done. */
export interface FormProps {
  readonly wanted: { readonly station?: Station; readonly seq?: number }
  readonly view: SessionView
  readonly stations: readonly Station[]
  readonly ready: Ready | null
  readonly setReady: (ready: Ready | null) => void
}
