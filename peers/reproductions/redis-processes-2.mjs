import { spawnSync } from 'node:child_process'
import { HumanMessage } from '@langchain/core/messages'
import { RedisChatMessageHistory } from '@langchain/redis'
import { config, newSession } from './redis.mjs'

const [, program, sessionId = newSession()] = process.argv
const history = new RedisChatMessageHistory({ sessionId, config })
const length = async () => (await history.getMessages()).length
if (process.argv[2] === undefined) {
  spawnSync(process.execPath, [program, sessionId])
  const left = await length()
  console.log('none or all of the 100 are there:', left === 0 || left === 100)
  await history.clear()
  await history.client.quit()
} else {
  await history.ensureReadiness()
  void history.addMessages(Array.from({ length: 100 }, (_, number) => new HumanMessage(`${number}`)))
  while ((await length()) < 50);
  process.kill(process.pid, 'SIGKILL')
}
