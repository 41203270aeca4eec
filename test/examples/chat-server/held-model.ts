import { textOf } from '../../../examples/chat-server/chat-message.ts'
import { type ModelCall, type ModelServer, startModelServer } from '../../../examples/chat-server/model-server.ts'

interface Hold {
  readonly kind: ModelCall['kind']
  readonly about: string
  readonly piece: number
  reach(): void
  readonly released: Promise<void>
}

export interface Held {
  /** Resolves once the model waits there. */
  readonly reached: Promise<void>
  release(): void
}

/** The example's model, which waits where a test tells it to, and nowhere else. */
export class HeldModel {
  readonly #holds: Hold[] = []
  readonly #pieces = new WeakMap<ModelCall, number>()
  readonly server: ModelServer

  private constructor(server: ModelServer) {
    this.server = server
  }

  static async start(): Promise<HeldModel> {
    let model: HeldModel | undefined
    model = new HeldModel(await startModelServer((call) => model?.pause(call) ?? Promise.resolve()))
    return model
  }

  /** Holds calls in which a message of the user has this text, before their n-th piece. */
  hold(kind: ModelCall['kind'], about: string, piece = 1): Held {
    const held = { reach: () => {}, release: () => {} }
    const reached = new Promise<void>((resolve) => {
      held.reach = resolve
    })
    const released = new Promise<void>((resolve) => {
      held.release = resolve
    })
    this.#holds.push({ kind, about, piece, reach: held.reach, released })
    return { reached, release: held.release }
  }

  /** How often the model was asked to answer this question. */
  answersTo(question: string): number {
    return this.server.calls.filter((call) => call.kind === 'answer' && lastQuestion(call) === question).length
  }

  async pause(call: ModelCall): Promise<void> {
    const piece = (this.#pieces.get(call) ?? 0) + 1
    this.#pieces.set(call, piece)
    for (const hold of this.#holds) {
      const about = call.kind === 'answer' ? lastQuestion(call) === hold.about : hold.about === ''
      if (!about || hold.kind !== call.kind || hold.piece !== piece) continue
      hold.reach()
      await hold.released
    }
  }
}

function lastQuestion({ messages }: ModelCall): string | undefined {
  const question = messages.findLast(({ role }) => role === 'user')
  return question && textOf(question)
}
