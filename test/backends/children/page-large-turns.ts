import { openMemory } from '../../../src/index.ts'

/** Fills a session with large turns, then pages, views, verifies, trims and sweeps it, and tells what it saw. */
const { url, count, megabytes } = JSON.parse(process.argv[2] ?? '') as { url: string; count: number; megabytes: number }
const session = 'large'
const page = 10
const memory = await openMemory(url)

for (let number = 1; number <= count; number++) {
  const content = `${number} `.padEnd(megabytes * 2 ** 20, 'abcdefgh')
  await memory.addMessages(session, [{ role: number % 2 === 1 ? 'user' : 'assistant', content }])
}

const isWhole = ({ content }: { content?: unknown }, seq: number | undefined) =>
  typeof content === 'string' && content.startsWith(`${seq} `) && content.length === megabytes * 2 ** 20
let whole = 0
const backwards: number[] = []
for (let read = await memory.getHistory(session, { last: page }); read.length > 0; ) {
  whole += read.filter((message, index) => isWhole(message, read.seqs[index])).length
  backwards.unshift(...read.seqs)
  read = await memory.getHistory(session, { last: page, before: read.seqs[0] })
}
const forwards: number[] = []
for (let read = await memory.getEntries(session, { first: page }); read.length > 0; ) {
  forwards.push(...read.map(({ seq }) => seq))
  read = await memory.getEntries(session, { first: page, after: read.at(-1)?.seq })
}
const view = await memory.getHistory(session, { maxEntries: page })
const { ok, entries } = await memory.verify(session)
const { removed } = await memory.trim(session, { maxEntries: page })
await memory.sweep(session)
const { sweepable } = await memory.stats()
const left = await memory.getHistory(session)
process.send?.({
  backwards,
  forwards,
  whole,
  view: view.seqs,
  verified: { ok, entries },
  removed,
  sweepable: sweepable.entries,
  left: left.seqs,
})
await memory.close()
