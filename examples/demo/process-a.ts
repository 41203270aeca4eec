import { openMemory } from 'unforget'
import { conversation } from './conversation.ts'
import { report } from './reports.ts'

const memory = await openMemory(conversation.url)
const chat = memory.session(conversation.session)

await chat.addMessages(conversation.question)
await chat.recordToolCall(conversation.toolCall)
await chat.addMessages(conversation.answer)
await chat.addSummary(conversation.summary)
const snapshot = await chat.saveSnapshot({ label: conversation.label })

report({ entries: await chat.getEntries(), snapshot })
await memory.close()
