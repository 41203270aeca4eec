import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { HumanMessage } from '@langchain/core/messages'
import { newFolder } from './folder.mjs'

const folder = newFolder()
const history = (file) => new FileSystemChatMessageHistory({ sessionId: 's', filePath: `${folder}/${file}` })
await history('one.json').addMessage(new HumanMessage('written to one.json'))
console.log(
  'read from two.json:',
  (await history('two.json').getMessages()).map(({ content }) => content),
)
