type Part = Readonly<Record<string, unknown>>

/**
 * Puts back the fields whose value was `undefined`, which the store leaves out and `validateUIMessages` requires: the output of a tool that returned
 * nothing, the input of one that takes nothing, the data of a part without any.
 */
export function restoreParts<Message extends { parts: readonly unknown[] }>(message: Message): Message {
  return { ...message, parts: message.parts.map((part) => restorePart(part as Part)) }
}

function restorePart(part: Part): Part {
  const { type, state } = part
  if (typeof type !== 'string') return part
  if (type.startsWith('data-')) return withField(part, 'data')
  if (type !== 'dynamic-tool' && !type.startsWith('tool-')) return part
  if (state === 'input-streaming' || state === 'output-error') return part
  const called = withField(part, 'input')
  return state === 'output-available' ? withField(called, 'output') : called
}

function withField(part: Part, field: string): Part {
  return Object.hasOwn(part, field) ? part : { ...part, [field]: undefined }
}
