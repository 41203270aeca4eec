import { HumanMessage } from '@langchain/core/messages'
import type { RunnableConfig } from '@langchain/core/runnables'
import { type BaseCheckpointSaver, emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint'

/** The state keeps this many messages of 500 bytes, as an agent does that summarizes. */
const window = 100
const thread = { configurable: { thread_id: 'user-42', checkpoint_ns: '' } }

/** Puts one checkpoint after another on one thread, each with one message more. */
export class ThreadWriter {
  readonly #saver: BaseCheckpointSaver
  #config: RunnableConfig = thread
  #messages: HumanMessage[] = []
  #count = 0

  constructor(saver: BaseCheckpointSaver) {
    this.#saver = saver
  }

  /** Returns how many milliseconds one put took. */
  async put(times: number): Promise<number> {
    let milliseconds = 0
    for (let time = 0; time < times; time++) {
      this.#count += 1
      const message = new HumanMessage({ id: String(this.#count), content: `${this.#count} `.padEnd(500, 'abcdefgh') })
      this.#messages = [...this.#messages, message].slice(-window)
      const checkpoint = {
        ...emptyCheckpoint(),
        id: uuid6(this.#count),
        channel_values: { messages: this.#messages },
        channel_versions: { messages: this.#count },
      }
      const metadata = { source: 'loop' as const, step: this.#count, parents: {} }
      const began = performance.now()
      this.#config = await this.#saver.put(this.#config, checkpoint, metadata, { messages: this.#count })
      milliseconds += performance.now() - began
    }
    return milliseconds / times
  }
}

export async function readNewest(saver: BaseCheckpointSaver): Promise<void> {
  if ((await saver.getTuple(thread)) === undefined) throw new Error('there is no checkpoint')
}

export async function listTen(saver: BaseCheckpointSaver): Promise<void> {
  let count = 0
  for await (const _ of saver.list(thread, { limit: 10 })) count += 1
  if (count !== 10) throw new Error(`${count} checkpoints were listed`)
}
