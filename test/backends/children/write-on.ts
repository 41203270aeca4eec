import { randomUUID } from 'node:crypto'
import { openTarget, type Target } from './open-target.ts'

const { target, sessions } = JSON.parse(process.argv[2] ?? '') as { target: Target; sessions: string[] }
const { memory, end } = await openTarget(target)
let isOver = false
process.once('message', () => {
  isOver = true
})
await tell('ready')
await Promise.all(sessions.map(write))
await memory.close()
await end()
process.disconnect()

/** Tells the parent of each turn that was tried, and whether it was acknowledged. */
async function write(session: string): Promise<void> {
  while (!isOver) {
    const content = randomUUID()
    const acknowledged = await memory.addMessages(session, [{ role: 'user', content }]).then(
      () => true,
      () => false,
    )
    await tell({ session, content, acknowledged })
  }
}

function tell(message: object | string): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()))
}
