import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { HumanMessage } from '@langchain/core/messages'
import { newFolder } from './folder.mjs'

const history = new FileSystemChatMessageHistory({ sessionId: 's', filePath: `${newFolder()}/history.json` })
const seen = new Set()
let isAdding = true
const adding = history.addMessages(['one', 'two', 'three'].map((text) => new HumanMessage(text)))
const reading = (async () => {
  for (; isAdding; await new Promise(setImmediate)) seen.add((await history.getMessages()).length)
})()
await adding
isAdding = false
await reading
console.log('a part of the three was read:', seen.has(1) || seen.has(2))
