import { messageOf } from '../../../plain/message-of.ts'
import { type Answer, type Call, pack } from '../remote-protocol.ts'
import { HeldTurns } from './held-turns.ts'
import { loadStore } from './load-store.ts'

/** A process with one handle on the memory at a location, for `RemoteHandle` at the other end. */
const { module, ...request } = JSON.parse(process.argv[2] ?? '') as { module: string; location: string; ttl?: number }
let store: Record<string, (...parameters: unknown[]) => unknown> = {}
const turns = new HeldTurns((notice) => void process.send?.(notice))
let closed = false

async function answer({ method, parameters }: Call): Promise<unknown> {
  if (method === 'open' || method === 'close') {
    const definition = await loadStore(new URL(module))
    closed = method === 'close'
    if (closed) return definition.close?.(store)
    store = (await definition.open(request)) as typeof store
    return null
  }
  if (method.startsWith('turn.')) return turns.answer(store, method.slice('turn.'.length), parameters)
  return store[method.slice('store.'.length)]?.(...parameters)
}

function send(answered: Answer): void {
  try {
    process.send?.(answered, undefined, undefined, () => {
      if (closed) process.disconnect()
    })
  } catch (error) {
    const { number } = answered
    process.send?.({ number, failed: true, error: pack(new Error(`cannot be sent: ${messageOf(error)}`)) })
  }
}

process.on('message', (call: Call) => {
  if (call.method === 'leave') process.exit(0)
  const { number } = call
  answer(call).then(
    (value) => send({ number, failed: false, value: pack(value) }),
    (error: unknown) => send({ number, failed: true, error: pack(error) }),
  )
})
process.on('disconnect', () => {
  if (!closed) process.exit(0)
})
