import { openMemory } from 'unforget'
import { UnforgetSession } from 'unforget/openai-agents'
import { head, tail, versionOf } from './tails.ts'

/** Replaces the end of a session again and again, and reports each end that was acknowledged, until it is killed. */
const { url } = JSON.parse(process.argv[2] ?? '') as { url: string }
const memory = await openMemory(url)
const session = new UnforgetSession(memory.session('s'))
if ((await session.getItems()).length === 0) await session.addItems([...head, ...tail(0)])
const from = versionOf(await session.getItems()) ?? Number.NaN
for (let version = from + 1; ; version++) {
  const transaction = { type: 'replace_suffix' as const, expectedSuffix: tail(version - 1), replacement: tail(version) }
  await session.applyHistoryTransaction({ operationId: `to ${version}`, transaction })
  process.send?.(version)
}
