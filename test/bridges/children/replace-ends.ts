import { openMemory } from '../../../src/index.ts'
import { bridgeNamed } from '../bridges.ts'
import { endOf, numberOfEnd } from '../ends.ts'

/** Replaces the end of a conversation again and again, and reports each end that was acknowledged, until it is killed. */
const { url, bridge, id } = JSON.parse(process.argv[2] ?? '') as { url: string; bridge: string; id: string }
const memory = await openMemory(url)
const through = bridgeNamed(bridge)
let end = (await numberOfEnd(through, memory, id)) ?? Number.NaN
for (;;) {
  await through.replaceEnd?.(memory, id, endOf(end), endOf(end + 1))
  end += 1
  process.send?.(end)
}
