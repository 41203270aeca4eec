/** Work that no response waits for. A worker that stops lets it end. */
export class Background {
  readonly #running = new Set<Promise<void>>()

  run(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => console.error(`worker ${process.pid}:`, error))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
