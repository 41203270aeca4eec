import { AssertionError } from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { FullStore, RemoteHandle } from '../../case.ts'
import { inTime } from '../../cases/helpers/patience.ts'
import { type Answer, type Call, type Notice, revive } from '../remote-protocol.ts'
import { RemoteTurns } from './remote-turns.ts'

/** Talks to a process that runs `handle-process.ts`. Resolves once the handle there is open. */
export async function connect(child: ChildProcess): Promise<RemoteHandle> {
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4000)
  })
  const ended = once(child, 'exit').then(() => {
    const message = `the process with the handle ended under a call${complaint && `: ${complaint.trim()}`}`
    const gone = new AssertionError({ message })
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
  })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>()
  child.on('message', (answer: Answer | Notice) => {
    if ('turn' in answer) return turns.notice(answer)
    const { resolve, reject } = waiting.get(answer.number) ?? {}
    waiting.delete(answer.number)
    if (answer.failed) reject?.(revive(answer.error))
    else resolve?.(revive(answer.value))
  })
  let number = 0
  const call = (method: Call['method'], parameters: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      number += 1
      waiting.set(number, { resolve, reject })
      child.send({ number, method, parameters } satisfies Call, (error) => {
        if (error) reject(new AssertionError({ message: `the process with the handle is gone: ${error.message}` }))
      })
    })
  const turns = new RemoteTurns(call)
  /** On Deno, `kill` of a child sends nothing after its first signal, not even SIGCONT. */
  const send = (signal: NodeJS.Signals) => {
    const isRunning = child.exitCode === null && child.signalCode === null
    if (isRunning && child.pid !== undefined) process.kill(child.pid, signal)
  }
  const kill = async () => {
    send('SIGKILL')
    await ended
  }
  await call('open', []).catch(async (error: unknown) => {
    await kill()
    throw error
  })
  return {
    store: new Proxy({} as FullStore, {
      get: (_, name) => {
        if (name === 'withTurn') return turns.withTurn.bind(turns)
        return typeof name === 'string' && name !== 'then'
          ? (...parameters: unknown[]) => call(`store.${name}`, parameters)
          : undefined
      },
    }),
    async finish() {
      await call('close', [])
      const message = 'after its handle was closed, the process did not end by itself: something keeps it alive'
      await inTime(ended, message).catch(async (error: unknown) => {
        await kill()
        throw error
      })
    },
    async leave() {
      child.send({ number: 0, method: 'leave', parameters: [] } satisfies Call)
      await ended
    },
    kill,
    stop: () => send('SIGSTOP'),
    goOn: () => send('SIGCONT'),
  }
}
