/** A session as plain arrays: its history, and that of each snapshot. Independent of how the store works. */
export interface ModelEntry {
  readonly seq: number
  readonly kind: 'system' | 'turn' | 'answer' | 'toolCall' | 'summary' | 'standIn' | 'record'
  readonly text: string
}

interface ModelSnapshot {
  readonly id: string
  readonly entries: ModelEntry[]
  readonly automatic: boolean
}

export interface ModelDetails {
  readonly owner?: string | null
  readonly title?: string | null
}

export interface ModelTrim {
  readonly keepSystem: boolean
  readonly cutRecords?: boolean
  readonly fromUser?: boolean
}

export class ModelSession {
  /** Set by the first write; `null` if there is no session. */
  details: Required<ModelDetails> | null = null
  entries: ModelEntry[] = []
  snapshots: ModelSnapshot[] = []
  #lastSeq = 0

  /** A write that begins the session, unless there is one. */
  begin({ owner = null, title = null }: ModelDetails = {}): void {
    this.details ??= { owner, title }
  }

  append(kind: ModelEntry['kind'], text: string): void {
    this.begin()
    this.entries = [...this.entries, this.#make(kind, text)]
  }

  save(id: string, automatic = false): void {
    this.begin()
    this.snapshots.push({ id, entries: this.entries, automatic })
  }

  rollBack(id: string, leftBehind: string): void {
    const target = this.snapshots.find((snapshot) => snapshot.id === id)
    if (target === undefined) throw new Error(`the model has no snapshot ${id}`)
    this.save(leftBehind, true)
    const automatic = this.snapshots.filter((snapshot) => snapshot.automatic)
    const tooMany = automatic.filter((snapshot) => snapshot !== target).slice(0, Math.max(0, automatic.length - 10))
    this.snapshots = this.snapshots.filter((snapshot) => !tooMany.includes(snapshot))
    this.entries = target.entries
  }

  /** The entries up to one, and those after it. */
  split(seq: number): [before: ModelEntry[], after: ModelEntry[]] {
    const length = this.entries.findIndex((entry) => entry.seq === seq) + 1
    return [this.entries.slice(0, length), this.entries.slice(length)]
  }

  trim(maxEntries: number, { keepSystem, cutRecords = false, fromUser = false }: ModelTrim): void {
    const lead = keepSystem ? this.#lead() : []
    const most = Math.max(1, maxEntries - lead.length)
    const cut = fromUser ? this.#cutBeforeUser(lead, most) : this.#cutBehind(lead, most)
    if (this.entries.slice(0, cut).every((entry) => lead.includes(entry) || !isMessage(entry))) return
    const stays = this.entries.slice(0, cut).filter((entry) => {
      if (entry.kind === 'record') return !cutRecords
      return lead.includes(entry) || entry.kind === 'summary' || entry.kind === 'standIn'
    })
    this.entries = [...stays, ...this.entries.slice(cut)]
  }

  /** Returns the turns that the summary replaces; none, if there is nothing to do. */
  compact(keep: number, text: string): ModelEntry[] {
    const lead = this.#lead()
    const cut = this.#cutBehind(lead, keep)
    const turns = this.entries.slice(0, cut).filter((entry) => !lead.includes(entry) && isHistory(entry))
    if (!turns.some(isMessage)) return []
    const begin = this.entries.indexOf(turns[0] as ModelEntry)
    const isKept = (entry: ModelEntry) => lead.includes(entry) || entry.kind === 'summary' || entry.kind === 'record'
    this.entries = [
      ...this.entries.slice(0, begin).filter(isKept),
      this.#make('standIn', text),
      ...this.entries.slice(begin, cut).filter(isKept),
      ...this.entries.slice(cut),
    ]
    return turns
  }

  /** The system messages before the first other turn. */
  #lead(): ModelEntry[] {
    const end = this.entries.findIndex((entry) => isHistory(entry) && entry.kind !== 'system')
    return this.entries.slice(0, end === -1 ? this.entries.length : end).filter(isMessage)
  }

  /** The index of the first of the newest `keep` messages after the leading ones. */
  #cutBehind(lead: readonly ModelEntry[], keep: number): number {
    const messages = this.entries.filter((entry) => isMessage(entry) && !lead.includes(entry))
    const first = keep === 0 ? undefined : messages.slice(-keep)[0]
    return first === undefined ? this.entries.length : this.entries.indexOf(first)
  }

  /** The same, if it begins with a user's turn after system messages; the newest such part if none is short enough; the same if there is none. */
  #cutBeforeUser(lead: readonly ModelEntry[], keep: number): number {
    const messages = this.entries.filter((entry) => isMessage(entry) && !lead.includes(entry))
    const parts = messages.map((_, index) => messages.slice(index))
    const fromUser = parts.filter((part) => part.find(({ kind }) => kind !== 'system')?.kind === 'turn')
    const [first] = fromUser.find(({ length }) => length <= keep) ?? fromUser.at(-1) ?? []
    return first === undefined ? this.#cutBehind(lead, keep) : this.entries.indexOf(first)
  }

  #make(kind: ModelEntry['kind'], text: string): ModelEntry {
    this.#lastSeq += 1
    return { seq: this.#lastSeq, kind, text }
  }
}

export function isHistory({ kind }: ModelEntry): boolean {
  return kind === 'system' || kind === 'turn' || kind === 'answer' || kind === 'standIn'
}

function isMessage({ kind }: ModelEntry): boolean {
  return kind === 'system' || kind === 'turn' || kind === 'answer'
}
