import { openTarget, type Target } from './open-target.ts'

const { target, name, count } = JSON.parse(process.argv[2] ?? '') as { target: Target; name: string; count: number }
const { memory, end } = await openTarget(target)
for (let number = 0; number < count; number++) {
  const content = `${name}.${number}`
  await memory.withTurn(
    's',
    async (turn) => {
      await turn.addMessages([{ role: 'user', content }])
      await turn.addMessages([{ role: 'assistant', content, toolCalls: [{ id: content, name: 'n', arguments: {} }] }])
      await turn.addMessages([{ role: 'tool', toolCallId: content, content }])
      await turn.addMessages([{ role: 'assistant', content }])
    },
    { wait: 120_000 },
  )
}
await memory.close()
await end()
process.disconnect?.()
