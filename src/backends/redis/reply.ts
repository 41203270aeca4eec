/** A reply; its bulk strings are bytes where they were asked for as such. */
export type Reply = Uint8Array | string | number | boolean | null | undefined | readonly Reply[]

export function textOf(reply: Reply): string {
  return reply instanceof Uint8Array
    ? Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength).toString()
    : String(reply)
}

/** `undefined` where a script had nothing to return. */
export function optionalText(reply: Reply): string | undefined {
  return reply === null || reply === undefined || reply === false ? undefined : textOf(reply)
}

export function listOf(reply: Reply): readonly Reply[] {
  return Array.isArray(reply) ? reply : []
}
