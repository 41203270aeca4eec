import { MemoryStoreBackendError } from '../../core/errors.ts'
import type { Link } from './link.ts'
import { toBackendError } from './redis-error.ts'
import { type Reply, textOf } from './reply.ts'
import { makeScript } from './scripts/script.ts'

/** What this version reads and writes. 0.1 left no mark. */
const format = 2

const readScript = makeScript("return redis.call('GET', KEYS[1]) or ''")

const markScript = makeScript(`
local found = redis.call('GET', KEYS[1]) or ''
if found == '' or (tonumber(found) or ${format}) < ${format} then redis.call('SET', KEYS[1], '${format}') end
return found
`)

/** Rejects what a newer version wrote. */
export async function checkFormat(link: Link, key: string, deadline: number): Promise<void> {
  requireKnown(key, textOf((await link.run(readScript, [key], [], deadline)) as Reply))
}

/** The mark that this version writes here, made before the first write of a store. */
export class FormatMark {
  readonly #link: Link
  readonly #key: string
  #making: Promise<void> | undefined
  #isMade = false

  constructor(link: Link, key: string) {
    this.#link = link
    this.#key = key
  }

  get isMade(): boolean {
    return this.#isMade
  }

  /** Those who wait for it go on in the order in which they came, and before all who come later. */
  make(deadline: number): Promise<void> {
    if (this.#making !== undefined) return this.#making
    const making = this.#make(deadline)
    making.then(
      () => {
        this.#isMade = true
      },
      () => {
        this.#making = undefined
      },
    )
    this.#making = making
    return making
  }

  async #make(deadline: number): Promise<void> {
    try {
      requireKnown(this.#key, textOf((await this.#link.run(markScript, [this.#key], [], deadline)) as Reply))
    } catch (error) {
      throw toBackendError(error, 'no')
    }
  }
}

function requireKnown(key: string, found: string): void {
  if (found === '' || Number(found) <= format) return
  const isNumber = /^\d+$/.test(found)
  const reason = isNumber
    ? `the memory has format ${found}, and this version knows formats up to ${format}: upgrade unforget`
    : `the key ${key} does not hold a format number`
  throw new MemoryStoreBackendError(isNumber ? 'SCHEMA_TOO_NEW' : 'NOT_A_MEMORY', reason, { applied: 'no' })
}
