import { noAbout } from '../../core/advance.ts'
import type { SessionAbout } from '../../core/backend.ts'
import { textFromJson, textToJson } from '../../core/text-json.ts'
import { listOf, optionalText, type Reply } from './reply.ts'

const parts = ['owner', 'title', 'metadata'] as const satisfies readonly (keyof SessionAbout)[]

/** Names and values of what is given, as JSON; the empty text for none. */
export function aboutToTexts(about: Partial<SessionAbout>): string[] {
  return parts.flatMap((part) => {
    const value = about[part]
    return value === undefined ? [] : [part, textToJson(value) ?? '']
  })
}

/** From the values of all three, as the scripts return them. */
export function aboutFromReply(session: string, reply: Reply): SessionAbout {
  const values = listOf(reply)
  const about = parts.map((part, index) => [part, textFromJson(session, optionalText(values[index]) ?? null)])
  return { ...noAbout, ...Object.fromEntries(about) }
}
