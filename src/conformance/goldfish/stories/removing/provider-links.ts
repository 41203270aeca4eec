import type { ChatMessage } from '../../../../core/entries.ts'
import type { Goldfish } from '../../goldfish.ts'
import { alter } from '../../helpers/reshape.ts'

/** The store sees another word wherever a message says `word`, as if it had never heard of it. */
function blindTo(word: string, isMeant: (json: string) => boolean = () => true): NonNullable<Goldfish['store']> {
  const unknown = `${word}, unknown`
  const hide = (message: object): object => {
    const json = jsonOf(message)
    return json.includes(`"${word}"`) && isMeant(json)
      ? JSON.parse(json.replaceAll(`"${word}"`, `"${unknown}"`))
      : message
  }
  const reveal = (message: ChatMessage): ChatMessage => {
    const json = jsonOf(message)
    return json.includes(`"${unknown}"`) ? JSON.parse(json.replaceAll(`"${unknown}"`, `"${word}"`)) : message
  }
  return (sound) => ({
    addMessages: (session, messages, options) =>
      sound.addMessages(session, Array.isArray(messages) ? messages.map(hide) : messages, options),
    getHistory: async (session, options) => alter(await sound.getHistory(session, options), reveal),
    async getEntries(session, options) {
      const entries = await sound.getEntries(session, options)
      for (const entry of entries) if (entry.kind === 'message') entry.message = reveal(entry.message)
      return entries
    },
  })
}

function jsonOf(message: unknown): string {
  try {
    return JSON.stringify(message) ?? ''
  } catch {
    return ''
  }
}

const hasId = (json: string) => json.includes('"id"')

/** Does not know how one provider writes tool calls. */
export const providerLinks: Goldfish[] = [
  {
    name: 'openai-results-unknown',
    breaks: ['trimming.3'],
    story: "`tool_call_id` is a field like any other. OpenAI's results stay without their calls.",
    store: blindTo('tool_call_id'),
  },
  {
    name: 'responses-outputs-unknown',
    breaks: ['trimming.3'],
    story: 'Chat messages are handled. Items of the Responses API have no role, so they are cut anywhere.',
    store: blindTo('function_call_output'),
  },
  {
    name: 'reasoning-left-alone',
    breaks: ['trimming.3'],
    story: 'A reasoning item is cut off from the item that it led to, and the API rejects that item.',
    store: blindTo('reasoning'),
  },
  {
    name: 'agents-results-unknown',
    breaks: ['trimming.3'],
    story: 'The Agents SDK writes `function_call_result` where the API writes `function_call_output`.',
    store: blindTo('function_call_result'),
  },
  {
    name: 'programs-unknown',
    breaks: ['trimming.5', 'trimming.3'],
    story: 'Calls are told by their names, which end with `_call`. That of a program does not.',
    store: blindTo('program_output'),
  },
  {
    name: 'tool-searches-unknown',
    breaks: ['trimming.5', 'trimming.3'],
    story:
      'The output of a tool search is not named like other outputs. The model is offered tools it never asked for.',
    store: blindTo('tool_search_output'),
  },
  {
    name: 'searches-of-the-server-unknown',
    breaks: ['trimming.5', 'trimming.3'],
    story: 'A search that ran at the provider has no call id, so there is nothing to compare.',
    store: blindTo('tool_search_output', (json) => !/"call_?[iI]d":"/.test(json)),
  },
  {
    name: 'hosted-approvals-unknown',
    breaks: ['trimming.5', 'trimming.3'],
    story: 'The Agents SDK writes an approval as a call of a hosted tool, which has no id where calls have one.',
    store: blindTo('mcp_approval_response', (json) => json.includes('hosted_tool_call')),
  },
  {
    name: 'local-shells-unknown',
    breaks: ['trimming.5', 'trimming.3'],
    story: 'The output of a local shell has the id of its call in `id`, and the trimmer looks into `call_id`.',
    store: blindTo('local_shell_call_output'),
  },
  {
    name: 'anthropic-results-unknown',
    breaks: ['trimming.3', 'trimming.5'],
    story: "Anthropic's results are user messages. The cut treats them as turns of the user.",
    store: blindTo('tool_result'),
  },
  {
    name: 'ai-sdk-results-unknown',
    breaks: ['trimming.3'],
    story: 'The AI SDK writes `tool-result` with a hyphen, and the trimmer looks for an underscore.',
    store: blindTo('tool-result'),
  },
  {
    name: 'approvals-unknown',
    breaks: ['trimming.3'],
    story: 'An approval is kept without the request that it approves.',
    store: blindTo('tool-approval-response'),
  },
  {
    name: 'ui-calls-wait-forever',
    breaks: ['trimming.3'],
    story:
      'A tool part of a UI message is read as a call. Its result is in the same part, so the trimmer waits for it forever.',
    store: (sound) => ({
      async trim(session, options) {
        const history = await sound.getHistory(session)
        const first = history.findIndex((message) => /"type":"(tool-|dynamic-tool")/.test(jsonOf(message['parts'])))
        if (first < 0 || !options?.maxEntries) return sound.trim(session, options)
        return sound.trim(session, { ...options, maxEntries: Math.max(options.maxEntries, history.length - first) })
      },
    }),
  },
  {
    name: 'gemini-ids-unknown',
    breaks: ['trimming.3'],
    story: 'Function responses are matched by position. Those that name their call are skipped.',
    store: blindTo('functionResponse', hasId),
  },
  {
    name: 'gemini-needs-ids',
    breaks: ['trimming.3', 'trimming.5'],
    story:
      'Gemini leaves out the ids of calls. Without ids, there is nothing to compare, and nothing is kept together.',
    store: blindTo('functionResponse', (json) => !hasId(json)),
  },
  {
    name: 'gemini-model-is-nobody',
    breaks: ['trimming.3', 'trimming.5'],
    story: 'Gemini calls the assistant `model`. No assistant ever answers, so an abandoned call blocks every trim.',
    store: blindTo('model'),
  },
]
