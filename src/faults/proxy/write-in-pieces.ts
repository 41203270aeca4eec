import type { Socket } from 'node:net'

/** Writes bytes piece by piece, each after the previous one was sent. */
export function writeInPieces(
  socket: Socket,
  bytes: Buffer,
  size: number,
  milliseconds: number,
  whenDone: () => void,
): void {
  const write = (from: number) => {
    if (from >= bytes.length) return whenDone()
    socket.write(bytes.subarray(from, from + size), (error) => {
      if (!error) setTimeout(write, milliseconds, from + size)
    })
  }
  write(0)
}
