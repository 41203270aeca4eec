import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { allGoldfish } from '../../conformance/goldfish/all-goldfish.ts'
import { goldfishModule } from '../../conformance/goldfish/goldfish.store.ts'
import { quote } from '../../core/errors.ts'
import { shellWord } from '../../plain/shell-word.ts'
import { CannotRun } from '../command/run-command.ts'
import { urlStoreModule } from './url.store.ts'

/** What to prove. */
export interface ProveTarget {
  readonly module: URL
  /** As it is typed. */
  readonly target: string
  /** Where to create the memories; default: anywhere. */
  readonly folder?: string
  readonly notes: readonly string[]
}

/** A module, one of our store URLs, or a goldfish by name. */
export function findTarget(store: string | undefined, goldfish: string | undefined): ProveTarget {
  if (goldfish !== undefined) {
    if (store !== undefined) throw new CannotRun('pass either a store or --goldfish, not both')
    return ofGoldfish(goldfish)
  }
  if (store === undefined) throw new CannotRun('nothing to prove: pass a module, a store URL, or --goldfish')
  if (store === 'memory:' || store === 'sqlite::memory:')
    return { module: urlStoreModule(store), target: store, notes: [] }
  if (store.startsWith('sqlite:')) return ofSqlite(store)
  if (/^rediss?:\/\//.test(store)) return ofServer(store, 'under keys that start with "unforget-proof:"')
  if (/^postgres(ql)?:\/\//.test(store)) return ofServer(store, 'in schemas that start with "unforget_proof_"')
  if (/^file:|\.[cm]?[jt]s$/i.test(store)) return ofModule(store)
  throw new CannotRun(
    `${quote(store)} is neither a module (.js, .mjs, .ts, .mts) nor a URL such as sqlite:agent.db, redis://127.0.0.1, postgres://127.0.0.1/agents or memory:`,
  )
}

function ofGoldfish(name: string): ProveTarget {
  if (!allGoldfish.some((one) => one.name === name)) {
    throw new CannotRun(`there is no goldfish named ${quote(name)}; unforget goldfish lists them`)
  }
  return { module: goldfishModule(name), target: `--goldfish ${name}`, notes: [] }
}

function ofModule(store: string): ProveTarget {
  const module = store.startsWith('file:') ? new URL(store) : pathToFileURL(resolve(store))
  if (!existsSync(fileURLToPath(module))) throw new CannotRun(`there is no file ${store}`)
  return { module, target: shellWord(store), notes: [] }
}

function ofSqlite(store: string): ProveTarget {
  const file = store.slice('sqlite:'.length)
  if (file === '')
    throw new CannotRun(`${quote(store)} names no file; the proof creates its files in that file's folder`)
  const folder = dirname(resolve(file))
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new CannotRun(`there is no folder ${folder}`)
  const note = `proved on new files in the folder of ${file}, which were removed; the file itself was not touched`
  return { module: urlStoreModule(store), target: shellWord(store), folder, notes: [note] }
}

function ofServer(store: string, where: string): ProveTarget {
  if (!URL.canParse(store)) throw new CannotRun('expected a server URL such as redis://127.0.0.1:6379')
  if (/[?&](schema|prefix)=/.test(store))
    throw new CannotRun(`remove ?schema and ?prefix: the store is proved ${where}`)
  const note = `proved ${where}, which were removed; nothing else was touched`
  return { module: urlStoreModule(store), target: shellWord(store), notes: [note] }
}
