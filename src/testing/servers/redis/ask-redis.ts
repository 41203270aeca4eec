import { connect, type Socket } from 'node:net'
import { RespFrames } from '../../../faults/proxy/protocols/resp-frames.ts'
import { decodeResp, encodeCommand, RespError, type RespValue } from '../../../faults/proxy/protocols/resp-values.ts'

export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
}

const PATIENCE = 2000

/** Sends commands over a new connection and returns their replies; throws an error reply. */
export async function askRedis(
  address: RedisAddress,
  ...commands: readonly (readonly string[])[]
): Promise<RespValue[]> {
  const { host, port, username = 'default', password } = address
  const all = password === undefined ? commands : [['AUTH', username, password], ...commands]
  const socket = connect({ host, port, timeout: PATIENCE })
  try {
    const replies = readReplies(socket, all.length)
    for (const command of all) socket.write(encodeCommand(command))
    return (await replies).slice(all.length - commands.length)
  } finally {
    socket.destroy()
  }
}

function readReplies(socket: Socket, count: number): Promise<RespValue[]> {
  const frames = new RespFrames()
  const replies: RespValue[] = []
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk) => {
      try {
        replies.push(...frames.push(chunk).map(decodeResp))
      } catch (error) {
        reject(error)
      }
      const refused = replies.find((reply) => reply instanceof RespError)
      if (refused) reject(refused)
      else if (replies.length >= count) resolve(replies)
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('timeout', () => reject(new Error(`the server did not respond within ${PATIENCE} ms`)))
  })
}

/** A field of INFO and the like: `name:value` lines. */
export function fieldOf(info: RespValue | undefined, name: string): string | undefined {
  return String(info ?? '').match(new RegExp(`^${name}:(.*?)\\r?$`, 'm'))?.[1]
}
