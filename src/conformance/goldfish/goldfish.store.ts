import { defineStore } from '../store-definition.ts'
import { findGoldfish } from './all-goldfish.ts'
import { defineGoldfish } from './open-goldfish.ts'

/** The module to prove for a goldfish; also for its other processes. */
export function goldfishModule(name: string): URL {
  const module = new URL(import.meta.url)
  module.search = `?of=${encodeURIComponent(name)}`
  return module
}

const name = new URL(import.meta.url).searchParams.get('of') ?? 'rollback-wipes-the-snapshots'

export default defineStore(await defineGoldfish(findGoldfish(name)))
