import { openMemory } from 'unforget'
import { printSpans } from './print-spans.ts'

/** Prints a span for every call of the store: node --import tsx examples/tracing/tracing.ts */
const stop = printSpans((line) => console.log(line))
const memory = await openMemory('memory:')

await memory.withTurn('user-42', async (turn) => {
  await turn.addMessages([{ role: 'user', content: 'My name is Wang' }], { operationId: 'request-1' })
  await turn.getHistory()
})
await memory.rollbackToSnapshot('user-42', 'never saved').catch(() => {})
await memory.health()

await memory.close()
stop()
