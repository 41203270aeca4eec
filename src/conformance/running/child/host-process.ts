import { AssertionError } from 'node:assert/strict'
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../plain/message-of.ts'
import { allCases } from '../../cases/all-cases.ts'
import { type Failure, nothingKnown } from '../../report/failure.ts'
import { type HostAnswer, type HostArgument, type HostNews, type HostRequest, lastCallsFile } from '../host-protocol.ts'
import { diagnose } from './diagnose.ts'
import { KitError } from './kit-error.ts'
import { loadStore } from './load-store.ts'
import { look } from './look.ts'
import { Observation } from './observe.ts'
import { describeError } from './open-context.ts'
import { runCase } from './run-case.ts'

/** The process in which cases meet the store, for `Host` at the other end. */
const { module: href, folder } = JSON.parse(process.argv[2] ?? '') as HostArgument
const module = new URL(href)

/** Milliseconds after `leave` until what keeps the process alive is checked: what is being closed has had its time. */
const leavesWithin = 3000
const kept = openResources()
let running: Observation | null = null
const lastCalls = openSync(join(folder, lastCallsFile), 'w')

async function answer(request: Exclude<HostRequest, { kind: 'leave' }>): Promise<HostAnswer> {
  if (request.kind === 'run') return run(request)
  try {
    const definition = await loadStore(module)
    if (request.kind === 'load') return { kind: 'loaded' }
    if (request.kind === 'diagnose') return { kind: 'diagnosed', problem: await diagnose(definition, folder) }
    return { kind: 'looked', description: await look(definition, join(folder, 'first-look')) }
  } catch (error) {
    return { kind: 'refused', message: messageOf(error) }
  }
}

async function run({ id, seed, deadline }: Extract<HostRequest, { kind: 'run' }>): Promise<HostAnswer> {
  const definition = await loadStore(module)
  const one = allCases.find((each) => each.id === id)
  if (one === undefined) throw new KitError(`there is no case ${id}`)
  const begun = performance.now()
  running = new Observation(keepLastCalls)
  try {
    const failure = await runCase(one, { definition, module, folder }, { seed, deadline }, running)
    return { kind: 'ran', failure, milliseconds: performance.now() - begun }
  } finally {
    running = null
  }
}

function failedKit(error: unknown): HostAnswer {
  const stack = error instanceof Error ? (error.stack ?? null) : null
  const message = describeError(error)
  const failure: Failure = { ...nothingKnown, kind: 'kit', message, stack }
  return { kind: 'ran', failure, milliseconds: 0 }
}

/** On disk, because the store may block this process, or end it, under the next call. */
function keepLastCalls(calls: readonly string[]): void {
  writeSync(lastCalls, `${JSON.stringify(calls)}\n`, 0)
}

function leave(): void {
  process.channel?.unref()
  const tell = () => {
    const before = [...kept]
    const resources = openResources().filter((name) => {
      const index = before.indexOf(name)
      if (index !== -1) before.splice(index, 1)
      return index === -1
    })
    send({ kind: 'left open', resources })
  }
  setTimeout(tell, leavesWithin).unref()
}

/** What keeps this process alive; its own stderr among it. */
function openResources(): string[] {
  void process.stderr
  return process.getActiveResourcesInfo()
}

function send(message: HostAnswer | HostNews): void {
  if (process.connected) process.send?.(message)
}

process.on('message', (request: HostRequest) => {
  if (request.kind === 'leave') leave()
  else answer(request).then(send, (error: unknown) => send(failedKit(error)))
})
process.on('disconnect', () => {
  running = null
  process.exit(0)
})
process.on('unhandledRejection', (error) => {
  const isOfACase = error instanceof AssertionError || Observation.hasTold(error)
  if (running === null && !isOfACase) send({ kind: 'stray', message: describeError(error) })
})
send({ kind: 'ready' })
