import { openMemory } from 'unforget'
import { conversation } from './conversation.ts'
import { type Rollback, report } from './reports.ts'

const memory = await openMemory(conversation.url)
const chat = memory.session(conversation.session)

async function rollBackTo(snapshotId: string): Promise<Rollback> {
  const { leftBehind } = await chat.rollbackToSnapshot(snapshotId)
  return { leftBehind, entries: await chat.getEntries() }
}

const found = await chat.getEntries()
const good = (await chat.listSnapshots()).find(({ label }) => label === conversation.label)
if (good === undefined) throw new Error(`there is no snapshot labeled ${conversation.label}`)

const first = await rollBackTo(good.id)
const second = await rollBackTo(first.leftBehind)
const third = await rollBackTo(good.id)

report({ found, first, second, third })
await memory.close()
