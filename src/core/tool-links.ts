/** How a message is linked to others that must not be cut off from it. */
export interface ToolLinks {
  /** The ids of the calls it makes whose results are elsewhere. */
  readonly calls: readonly string[]
  /** The ids of the calls it answers. */
  readonly answers: readonly string[]
  /** Whether it is invalid without the message after it. */
  readonly joinsNext: boolean
}

/** The id of calls and results that have none: a result without one answers the nearest call before it. */
export const adjacent = ''

export const noLinks: ToolLinks = { calls: [], answers: [], joinsNext: false }

type Fields = { readonly [field: string]: unknown }

/**
 * The tool calls a message makes and those it answers:
 *
 * - in our own fields and in those of OpenAI's chat API (`tool_calls`, `tool_call_id`);
 * - as items of OpenAI's Responses API and Agents SDK (`function_call`, `function_call_output` and others named like them; programs, tool searches
 *   and approvals; `reasoning`);
 * - in parts of the content, of Anthropic (`tool_use`, `tool_result`) and of the AI SDK's model messages (`tool-call`, `tool-result`, approvals);
 * - in parts of Gemini (`functionCall`, `functionResponse`), whose ids are optional.
 *
 * A UI message of the AI SDK holds both a call and its result, so it has no links.
 */
export function toolLinks(message: Fields): ToolLinks {
  const { type, toolCalls, toolCallId, tool_calls, tool_call_id, content, parts } = message
  const isPlain = type === undefined && !toolCalls && !toolCallId && !tool_calls && !tool_call_id
  if (isPlain && !Array.isArray(content) && !Array.isArray(parts)) return noLinks
  const links = new LinkList()
  for (const call of [...fieldsOf(toolCalls), ...fieldsOf(tool_calls)]) links.call(call['id'])
  links.answer(toolCallId)
  links.answer(tool_call_id)
  if (typeof type === 'string') linkItem(links, type, message)
  for (const part of fieldsOf(content)) linkContentPart(links, part)
  for (const part of fieldsOf(parts)) linkGeminiPart(links, part)
  return { calls: links.calls, answers: links.answers, joinsNext: type === 'reasoning' }
}

function linkItem(links: LinkList, type: string, item: Fields): void {
  const id = item['call_id'] ?? item['callId']
  if (type === 'tool_search_call') links.call(searchId(item) ?? item['id'] ?? adjacent)
  else if (type === 'tool_search_output') links.answer(searchId(item) ?? adjacent)
  else if (type === 'hosted_tool_call') linkApproval(links, item, fieldsOf([item['providerData']])[0] ?? {})
  else if (type === 'program' || type.endsWith('_call')) links.call(id)
  else if (type === 'local_shell_call_output') links.answer(id ?? item['id'])
  else if (type === 'program_output' || type.endsWith('_call_output') || type.endsWith('_call_result')) links.answer(id)
  else if (type === 'mcp_approval_request') links.call(item['id'])
  else if (type === 'mcp_approval_response') links.answer(item['approval_request_id'])
}

/** A search that the provider ran has no id of its own: its output comes right after it. */
function searchId(item: Fields): unknown {
  const [data] = fieldsOf([item['providerData']])
  return data?.['call_id'] ?? data?.['callId'] ?? item['call_id'] ?? item['callId']
}

/** The Agents SDK writes approvals as calls of hosted tools. Those other than approvals hold their own result. */
function linkApproval(links: LinkList, { id, name }: Fields, data: Fields): void {
  const isRequest = name === 'mcp_approval_request' || data['type'] === 'mcp_approval_request'
  if (isRequest) links.call(data['id'] ?? id)
  if (name === 'mcp_approval_response') links.answer(data['approval_request_id'])
}

function linkContentPart(links: LinkList, part: Fields): void {
  const { type } = part
  if (typeof type !== 'string') return
  if (type.endsWith('tool_use')) links.call(part['id'])
  if (type.endsWith('tool_result')) links.answer(part['tool_use_id'])
  if (type === 'tool-call') links.call(part['toolCallId'])
  if (type === 'tool-result') links.answer(part['toolCallId'])
  if (type === 'tool-approval-request') links.call(part['approvalId'])
  if (type === 'tool-approval-response') links.answer(part['approvalId'])
}

function linkGeminiPart(links: LinkList, { functionCall, functionResponse }: Fields): void {
  for (const { id } of fieldsOf([functionCall])) links.call(id ?? adjacent)
  for (const { id } of fieldsOf([functionResponse])) links.answer(id ?? adjacent)
}

class LinkList {
  readonly calls: string[] = []
  readonly answers: string[] = []

  call(id: unknown): void {
    if (typeof id === 'string') this.calls.push(id)
  }

  /** A call that the same message makes is settled by it. */
  answer(id: unknown): void {
    if (typeof id !== 'string') return
    const call = this.calls.lastIndexOf(id)
    if (call === -1) this.answers.push(id)
    else this.calls.splice(call, 1)
  }
}

function fieldsOf(list: unknown): Fields[] {
  if (!Array.isArray(list)) return []
  return list.filter((item: unknown): item is Fields => typeof item === 'object' && item !== null)
}
