import type { StoreDefinition } from '../store-definition.ts'
import { findGoldfish } from './all-goldfish.ts'
import { defineGoldfish } from './open-goldfish.ts'

/** The module to prove for a goldfish; also for its other processes. */
export function goldfishModule(name: string): URL {
  const module = new URL(import.meta.url)
  module.search = `?of=${encodeURIComponent(name)}`
  return module
}

export async function storeFor({ searchParams }: URL): Promise<StoreDefinition> {
  return defineGoldfish(findGoldfish(searchParams.get('of') ?? ''))
}
