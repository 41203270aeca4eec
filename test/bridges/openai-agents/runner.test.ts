import {
  Agent,
  type AgentInputItem,
  MemorySession,
  Runner,
  type Session,
  setTracingDisabled,
  tool,
} from '@openai/agents-core'
import {
  assistantMessage,
  functionCall,
  modelError,
  ScriptedModel,
  type ScriptedModelInput,
} from '@openai/agents-core/testing'
import { UnforgetSession } from 'unforget/openai-agents'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { everyBackend } from '../../backends/every-backend.ts'

const { cases } = await everyBackend()
setTracingDisabled(true)

const answer = (text: string) => assistantMessage(text, { id: 'msg', providerData: { logprobs: [] } })
const reasoning = { type: 'reasoning' as const, id: 'rs', content: [{ type: 'input_text' as const, text: 'hm' }] }

/** A script of the model, and what is asked. Each step runs with a session of its own on the same memory. */
interface Conversation {
  readonly script: ScriptedModelInput[]
  readonly turns: ((runner: Runner, agent: Agent, session: Session) => Promise<unknown>)[]
}

function makeAgent(model: ScriptedModel): Agent {
  const order = tool({
    name: 'order',
    description: 'finds an order',
    parameters: z.object({ id: z.number() }),
    execute: ({ id }) => ({ type: 'text' as const, text: `order ${id} arrives on Friday` }),
  })
  const refund = tool({
    name: 'refund',
    description: 'pays back',
    parameters: z.object({ id: z.number() }),
    needsApproval: true,
    execute: ({ id }) => `refunded ${id}`,
  })
  const failing = tool({
    name: 'failing',
    description: 'fails',
    parameters: z.object({}),
    execute: () => {
      throw new Error('out of service')
    },
  })
  const writer = new Agent({ name: 'writer', instructions: 'Write.', model })
  return new Agent({ name: 'clerk', instructions: 'Help.', model, tools: [order, refund, failing], handoffs: [writer] })
}

const conversations: Record<string, Conversation> = {
  'turns with tools': {
    script: [
      [answer('Hello.')],
      [reasoning, functionCall('order', { id: 1 }, { callId: 'a' }), functionCall('order', { id: 2 }, { callId: 'b' })],
      [functionCall('failing', {}, { callId: 'c' })],
      [answer('On Friday.')],
      [answer('You are welcome.')],
    ],
    turns: [
      (runner, agent, session) => runner.run(agent, 'My name is Wang', { session }),
      (runner, agent, session) => runner.run(agent, 'Where are orders 1 and 2?', { session }),
      (runner, agent, session) =>
        runner.run(agent, [{ role: 'user', content: [{ type: 'input_text', text: 'Thanks' }] }], {
          session,
          sessionInputCallback: (old, now) => [...old.slice(-2), ...now],
        }),
    ],
  },
  'an approval, resumed from text': {
    script: [
      [answer('Hello.')],
      [functionCall('refund', { id: 7 }, { callId: 'r' })],
      [answer('Refunded.')],
      [functionCall('refund', { id: 8 }, { callId: 's' })],
      [answer('Not refunded.')],
    ],
    turns: [
      (runner, agent, session) => runner.run(agent, 'hi', { session }),
      ...['approve' as const, 'reject' as const].map(
        (decide) => async (runner: Runner, agent: Agent, session: Session) => {
          const asked = await runner.run(agent, 'refund it', { session })
          const before = await session.getItems()
          const [interruption] = asked.interruptions
          if (interruption !== undefined) asked.state[decide](interruption)
          return [before, await runner.run(agent, asked.state, { session })]
        },
      ),
    ],
  },
  'streams, a handoff and an error of the model': {
    script: [
      [answer('Streamed.')],
      [functionCall('transfer_to_writer', {}, { callId: 'h' })],
      [answer('Written.')],
      [functionCall('order', { id: 3 }, { callId: 'd' })],
      modelError(new Error('overloaded')),
      [answer('Back again.')],
    ],
    turns: [
      async (runner, agent, session) => {
        const stream = await runner.run(agent, 'stream', { session, stream: true })
        await stream.completed
      },
      (runner, agent, session) => runner.run(agent, 'write', { session }),
      (runner, agent, session) => runner.run(agent, 'fail', { session }),
      (runner, agent, session) => runner.run(agent, 'again', { session }),
    ],
  },
  'a compaction by the provider': {
    script: [
      [answer('One.')],
      [{ type: 'compaction', encrypted_content: 'opaque', id: 'cmp' }, answer('Two.')],
      [answer('Three.')],
    ],
    turns: ['1', '2', '3'].map((text) => (runner, agent, session) => runner.run(agent, text, { session })),
  },
}

/** Runs a conversation and notes, after each turn, what the session holds, what the model was asked, and what went wrong. */
async function play({ script, turns }: Conversation, openSession: () => Session): Promise<unknown[]> {
  const model = new ScriptedModel(script)
  const notes: unknown[] = []
  for (const turn of turns) {
    const session = openSession()
    const failed = await turn(new Runner(), makeAgent(model), session).then(
      () => null,
      (error: Error) => error.message,
    )
    const asked = model.calls.map(({ request }) => request.input)
    notes.push({ items: await session.getItems(), asked, failed })
  }
  model.assertComplete()
  return notes
}

describe.each(cases)('on %s, the runner finds what it finds in a MemorySession', (_name, open) => {
  test.each(Object.entries(conversations))('%s', async (_title, conversation) => {
    const { store } = await open()
    const theirs = new MemorySession({ sessionId: 's' })
    const expected = await play(conversation, () => theirs)
    const seen = await play(conversation, () => new UnforgetSession(store.session('s')))
    expect(seen).toEqual(expected)
    expect((expected.at(-1) as { items: AgentInputItem[] }).items.length).toBeGreaterThan(1)
  })
})
