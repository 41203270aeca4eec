import type { MemoryStore } from 'unforget'
import { conversation } from '../../../examples/demo/conversation.ts'
import { rubbishTurn } from '../../../examples/demo/rubbish-turn.ts'

/** The story of the demo up to the moment somebody looks: the agent knew Wang, and no longer does. */
export async function tellStory(memory: MemoryStore): Promise<void> {
  const chat = memory.session(conversation.session)
  await chat.addMessages(conversation.question, { owner: 'bookshop', title: 'Where is order 1001?' })
  await chat.recordToolCall(conversation.toolCall)
  await chat.addMessages(conversation.answer)
  await chat.addSummary(conversation.summary)
  await chat.saveSnapshot({ id: 'served', label: conversation.label })
  await chat.addMessages(rubbishTurn(1))
  await chat.saveSnapshot({ id: 'b', label: 'B was here' })
  for (let turn = 2; turn <= 6; turn++) await chat.addMessages(rubbishTurn(turn))
}

/** What process C of the demo did: back, forth, and back again. */
export async function rollBackAndForth(memory: MemoryStore): Promise<void> {
  const chat = memory.session(conversation.session)
  const { leftBehind } = await chat.rollbackToSnapshot('served')
  await chat.rollbackToSnapshot(leftBehind)
  await chat.rollbackToSnapshot('served')
}
