/** No such server is installed; the message says how to get one. */
export class ServerNotFoundError extends Error {
  override readonly name = 'ServerNotFoundError'
}
