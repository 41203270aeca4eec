import { say } from './database.js'
import { retried } from './fixtures.js'

const { WOBBLE } = process.env

let attempts = 0
retried('passes the second time', async ({ snapshotDb }) => {
  attempts++
  say(snapshotDb.path, `attempt ${attempts}`)
  await snapshotDb.step('after the attempt')
  if (WOBBLE === undefined && attempts === 1) throw new Error('not yet')
})
