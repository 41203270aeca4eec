import { randomUUID } from 'node:crypto'
import { type MemoryStore, openMemory } from 'unforget'

/** Stands in for a model: it looks up every order before it answers. */
function askModel(question: string): { tool: string; order: number } | { text: string } {
  const order = /order (\d+)/.exec(question)?.[1]
  return order === undefined ? { text: 'Hello! Which order is it about?' } : { tool: 'findOrder', order: Number(order) }
}

/** One turn of a shop's agent: the question, a tool call with its record, and the answer. */
export async function answer(memory: MemoryStore, customer: string, question: string): Promise<string> {
  return memory.withTurn(customer, async (turn) => {
    await turn.addMessages([{ role: 'user', content: question }], { operationId: randomUUID(), owner: 'shop' })
    const reply = askModel(question)
    if ('text' in reply) {
      await turn.addMessages([{ role: 'assistant', content: reply.text }])
      return reply.text
    }
    const before = await turn.saveSnapshot({ label: `before order ${reply.order}` })
    const call = { id: 'call-1', name: reply.tool, arguments: { order: reply.order } }
    await turn.recordToolCall({ ...call, result: { day: 'Friday' } })
    const text = `Order ${reply.order} arrives on Friday.`
    await turn.addMessages([
      { role: 'assistant', content: null, toolCalls: [call] },
      { role: 'tool', toolCallId: call.id, content: 'Friday' },
      { role: 'assistant', content: text },
    ])
    if (reply.order === 0) await turn.rollbackToSnapshot(before.id)
    return text
  })
}

/** Runs the agent in one process, as a server would. */
export async function serve(path: string, { customer, questions }: { customer: string; questions: string[] }) {
  const memory = await openMemory(`sqlite:${path}`)
  for (const question of questions) await answer(memory, customer, question)
  await memory.close()
}
