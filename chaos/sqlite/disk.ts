import type { Recorded } from './read-record.ts'

const sector = 512

/** What a disk holds of one file: what is certain, and what it was told and has not confirmed. */
interface DiskFile {
  readonly certain: Buffer | null
  readonly pending: readonly Recorded[]
}

/** The content of the files after a power cut, by path; a file that does not exist is left out. */
export type CrashState = ReadonlyMap<string, Buffer>

/** A disk that keeps what was synced. The rest may be there, be missing, or be there in part, in any order. */
export class Disk {
  readonly #files = new Map<string, DiskFile>()

  /** Whether it changed what a power cut can leave. */
  take(call: Recorded): boolean {
    const { kind, path } = call
    if (kind === 'M') return false
    if (kind === 'R') throw new Error('a rename is not expected: SQLite makes none')
    if (kind === 'S') return this.#sync(path)
    const file = this.#files.get(path) ?? { certain: null, pending: [] }
    this.#files.set(path, { ...file, pending: [...file.pending, call] })
    return true
  }

  /** A synced folder confirms which files there are. */
  #sync(path: string): boolean {
    const file = this.#files.get(path)
    if (file !== undefined) {
      this.#files.set(path, { certain: applyAll(file.certain, file.pending), pending: [] })
      return true
    }
    for (const [name, { certain, pending }] of this.#files) {
      const last = pending.findLastIndex(({ kind }) => kind === 'U' || kind === 'C')
      if (last === -1) continue
      const settled = pending.slice(0, last + 1).filter(({ kind }) => kind === 'U' || kind === 'C')
      this.#files.set(name, { certain: applyAll(certain, settled), pending: pending.slice(last + 1) })
    }
    return true
  }

  /** One state that a power cut can leave now. `keep` decides for each unconfirmed call: all of it, none, or some sectors. */
  crash(keep: (call: Recorded) => 'all' | 'none' | ((sector: number) => boolean)): CrashState {
    const state = new Map<string, Buffer>()
    for (const [path, { certain, pending }] of this.#files) {
      let content = certain
      for (const call of pending) {
        const kept = keep(call)
        if (kept === 'none') continue
        if (kept === 'all' || call.kind !== 'W') content = apply(content, call)
        else for (const part of sectorsOf(call)) if (kept(part.place)) content = apply(content, part)
      }
      if (content !== null) state.set(path, content)
    }
    return state
  }

  get unconfirmed(): number {
    return [...this.#files.values()].reduce((sum, { pending }) => sum + pending.length, 0)
  }
}

function applyAll(content: Buffer | null, calls: readonly Recorded[]): Buffer | null {
  return calls.reduce(apply, content)
}

function apply(content: Buffer | null, { kind, place, data }: Recorded): Buffer | null {
  switch (kind) {
    case 'C':
      return content ?? Buffer.alloc(0)
    case 'U':
      return null
    case 'T':
      return resized(content, place)
    default: {
      const next = resized(content, Math.max(content?.length ?? 0, place + data.length))
      data.copy(next, place)
      return next
    }
  }
}

function resized(content: Buffer | null, size: number): Buffer {
  const next = Buffer.alloc(size)
  content?.copy(next, 0, 0, size)
  return next
}

/** Split where sectors end: a disk writes each whole or not at all. */
function sectorsOf(call: Recorded): Recorded[] {
  const parts: Recorded[] = []
  for (let from = 0; from < call.data.length; ) {
    const to = Math.min(call.data.length, from + sector - ((call.place + from) % sector))
    parts.push({ ...call, place: call.place + from, data: call.data.subarray(from, to) })
    from = to
  }
  return parts
}
