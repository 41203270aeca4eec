import { openMemory } from '../../../src/index.ts'
import { bridgeNamed } from '../bridges.ts'

/** Adds turns to one conversation while another process does the same. Begins when it is told to. */
interface Order {
  readonly url: string
  readonly bridge: string
  readonly id: string
  readonly worker: number
  readonly turns: number
}
const { url, bridge, id, worker, turns } = JSON.parse(process.argv[2] ?? '') as Order
const memory = await openMemory(url)
const { addTurn } = bridgeNamed(bridge)
process.once('message', async () => {
  for (let turn = 0; turn < turns; turn++) await addTurn(memory, id, `${worker}.${turn}`)
  await memory.close()
  process.disconnect()
})
process.send?.('ready')
