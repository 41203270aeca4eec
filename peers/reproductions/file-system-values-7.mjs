import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { HumanMessage } from '@langchain/core/messages'
import { newFolder } from './folder.mjs'

const filePath = `${newFolder()}/history.json`
const history = (sessionId) => new FileSystemChatMessageHistory({ sessionId, filePath })
const date = new HumanMessage({ content: 'a date', additional_kwargs: { value: new Date(0) } })
await history('dates').addMessage(date)
console.log('a Date is read as', (await history('dates').getMessages())[0].additional_kwargs)

const bigInt = new HumanMessage({ content: 'a BigInt', additional_kwargs: { value: 10n } })
await history('numbers')
  .addMessage(bigInt)
  .catch(({ message }) => console.log('rejected:', message))
console.log(
  'and yet there:',
  (await history('numbers').getMessages()).map(({ content }) => content),
)
await history('other')
  .addMessage(new HumanMessage('hello'))
  .catch(({ message }) => console.log('rejected:', message))
