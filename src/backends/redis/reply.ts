/** A reply; its bulk strings are bytes if that was requested. */
export type Reply = Uint8Array | string | number | boolean | null | undefined | readonly Reply[]

export function textOf(reply: Reply): string {
  return reply instanceof Uint8Array
    ? Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength).toString()
    : String(reply)
}

/** `undefined` if a script had nothing to return. */
export function optionalText(reply: Reply): string | undefined {
  return reply === null || reply === undefined || reply === false ? undefined : textOf(reply)
}

export function listOf(reply: Reply): readonly Reply[] {
  return Array.isArray(reply) ? reply : []
}
