import { execFileSync } from 'node:child_process'
import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { HumanMessage } from '@langchain/core/messages'
import { newFolder } from './folder.mjs'

const [, program, filePath = `${newFolder()}/history.json`] = process.argv
const history = new FileSystemChatMessageHistory({ sessionId: 's', filePath })
const texts = async () => (await history.getMessages()).map(({ content }) => content)
const print = (text) =>
  console.log(execFileSync(process.execPath, [program, filePath, text], { encoding: 'utf8' }).trim())
if (process.argv[2] !== undefined) {
  if (process.argv[3] !== '') await history.addMessage(new HumanMessage(process.argv[3]))
  console.log('another process:', await texts())
} else {
  await history.addMessage(new HumanMessage('one'))
  print('two')
  console.log('this process:   ', await texts())
  await history.addMessage(new HumanMessage('three'))
  print('')
}
