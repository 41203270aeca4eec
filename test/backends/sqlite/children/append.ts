import { openMemory } from '../../../../src/index.ts'

/** Appends turns to one session, one after the other, and tells of each that was acknowledged. */
const { url, writer, count } = JSON.parse(process.argv[2] ?? '{}') as { url: string; writer: string; count: number }

const memory = await openMemory(url, { timeout: 60_000 })
for (let turn = 0; turn < count; turn++) {
  const { seqs } = await memory.addMessages('shared', [
    { role: 'user', content: `${writer}`, metadata: { turn, part: 'question' } },
    { role: 'assistant', content: `${writer}`, metadata: { turn, part: 'answer' } },
  ])
  process.send?.({ turn, seqs })
}
await memory.close()
process.disconnect?.()
