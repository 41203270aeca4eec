/** Objects that live as long as the process, one for each session of each memory. */
export class Memories<One> {
  readonly #make: (sessionId: string) => One
  readonly #memories = new Map<string, Map<string, One>>()

  constructor(make: (sessionId: string) => One) {
    this.#make = make
  }

  of(location: string, sessionId: string): One {
    const sessions = this.#memories.get(location) ?? new Map<string, One>()
    this.#memories.set(location, sessions)
    const one = sessions.get(sessionId) ?? this.#make(sessionId)
    sessions.set(sessionId, one)
    return one
  }

  forget(location: string): void {
    this.#memories.delete(location)
  }
}
