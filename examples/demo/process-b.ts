import { openMemory } from 'unforget'
import { conversation } from './conversation.ts'
import { report } from './reports.ts'
import { rubbishTurn, writers } from './rubbish-turn.ts'

const memory = await openMemory(conversation.url)
const chat = memory.session(conversation.session)
let turns = 0

function begin(): number {
  turns += 1
  report({ did: 'begin', turn: turns })
  return turns
}

// From `acknowledge` to the next `begin` nothing is awaited, so at any moment all writers but one have one in flight.
async function writeForEver(): Promise<never> {
  for (;;) {
    const turn = begin()
    await chat.addMessages(rubbishTurn(turn))
    report({ did: 'acknowledge', turn })
  }
}

const first = begin()
await chat.addMessages(rubbishTurn(first))
report({ did: 'acknowledge', turn: first })
report({ did: 'save', snapshot: await chat.saveSnapshot({ label: 'B was here' }) })
await Promise.all(Array.from({ length: writers }, writeForEver))
