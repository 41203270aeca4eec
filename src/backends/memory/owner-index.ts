/** The ids of the sessions of each owner. */
export class OwnerIndex {
  readonly #ids = new Map<string, Set<string>>()

  idsOf(owner: string): Iterable<string> {
    return this.#ids.get(owner) ?? []
  }

  move(id: string, from: string | null, to: string | null): void {
    if (from === to) return
    if (from !== null) this.#leave(id, from)
    if (to === null) return
    const ids = this.#ids.get(to) ?? new Set()
    this.#ids.set(to, ids.add(id))
  }

  clear(): void {
    this.#ids.clear()
  }

  #leave(id: string, owner: string): void {
    const ids = this.#ids.get(owner)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(owner)
  }
}
