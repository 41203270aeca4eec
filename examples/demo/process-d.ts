import { openMemory } from 'unforget'
import { conversation } from './conversation.ts'
import { report } from './reports.ts'

const memory = await openMemory(conversation.url)
const chat = memory.session(conversation.session)

report({
  entries: await chat.getEntries(),
  snapshots: await chat.listSnapshots(),
  verified: await memory.verify(),
  recalled: await chat.recall(conversation.query),
})
await memory.close()
