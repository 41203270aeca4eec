import { PostgresBackend } from '../../../../src/backends/postgres/index.ts'

/** Takes the turn, and then writes under it whenever it is told to; sends what came of it. */
const { url, schema, milliseconds } = JSON.parse(process.argv[2] ?? '') as {
  url: string
  schema: string
  milliseconds: number
}
const soon = () => performance.now() + 30_000
const backend = await PostgresBackend.open(url, { schema, connections: 1 })
const held = await backend.takeTurn('s', { token: 'child', milliseconds }, soon())
process.on('message', async (operation: string) => {
  const append = [{ kind: 'message' as const, format: 3, body: '[{},"00000000"]', bytes: null }]
  const change = { operation: { id: operation, digest: '' }, ifTurn: 'child', append }
  await backend.commit('s', change, soon()).then(
    () => process.send?.('written'),
    (error: { code: string }) => process.send?.(error.code),
  )
})
process.send?.(held === null ? 'held' : 'busy')
