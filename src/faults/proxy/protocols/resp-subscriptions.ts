import { decodeResp } from './resp-values.ts'
import type { WireCommand } from './wire-protocol.ts'

const PUSH = '>'.charCodeAt(0)
const ARRAY = '*'.charCodeAt(0)

/** What a frame is: a reply, an unsolicited message, or the confirmation of a subscription with the total count. */
export type Meaning = 'reply' | 'push' | { readonly expected: number }

/** Tells messages of channels from replies: RESP3 marks them, in RESP2 they look alike. */
export class RespSubscriptions {
  readonly #channels: Record<string, Set<unknown>> = { '': new Set(), P: new Set(), S: new Set() }
  #inArrays = false

  read(frame: Buffer, awaited: WireCommand | undefined): Meaning {
    const isPush = frame[0] === PUSH
    const [, group, leaves] = awaited?.name.match(/^([PS]?)(UN)?SUBSCRIBE$/) ?? []
    if (!isPush && !(frame[0] === ARRAY && (group !== undefined || this.#listens()))) return 'reply'
    const [kind, channel] = decodeResp(frame) as readonly unknown[]
    const channels = this.#channels[group ?? '']
    if (awaited !== undefined && channels !== undefined && group !== undefined && kind === awaited.name.toLowerCase()) {
      const expected = awaited.args.length || Math.max(1, channels.size)
      this.#inArrays = !isPush
      if (leaves === undefined) channels.add(channel)
      else channels.delete(channel)
      return { expected }
    }
    return isPush || /^[ps]?message$/.test(String(kind)) ? 'push' : 'reply'
  }

  #listens(): boolean {
    return this.#inArrays && Object.values(this.#channels).some(({ size }) => size > 0)
  }
}
