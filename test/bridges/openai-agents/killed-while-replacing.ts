import { once } from 'node:events'
import { openMemory } from 'unforget'
import { UnforgetSession } from 'unforget/openai-agents'
import { expect } from 'vitest'
import { startChild } from '../../support/child.ts'
import { versionOf } from './tails.ts'

/** Kills processes that replace the end of a session, and looks at what each one left. */
export async function killWhileReplacing(url: string, times: number): Promise<void> {
  for (let kill = 1; kill <= times; kill++) {
    const child = startChild(new URL('./replace-tails.ts', import.meta.url), { url })
    let acknowledged = 0
    child.on('message', (version: number) => {
      acknowledged = version
      if (version % 7 === kill % 7) child.kill('SIGKILL')
    })
    const [, signal] = await once(child, 'close')
    expect(signal).toBe('SIGKILL')
    const memory = await openMemory(url)
    const left = versionOf(await new UnforgetSession(memory.session('s')).getItems())
    expect(left).toBeGreaterThanOrEqual(acknowledged)
    expect(await memory.verify()).toMatchObject({ ok: true })
    await memory.close()
  }
}
