import type { SessionMemory } from 'unforget'
import type { ChatMessage } from './chat-message.ts'

type ChatSession = SessionMemory<ChatMessage, ChatMessage>

/** The label of a snapshot that has another message in the place of one that is shown: its seq, and its parent. */
export function alternativeLabel(seq: number, parent: string): string {
  return `alternative ${seq} after ${parent}`
}

interface Alternative {
  readonly snapshot: string
  readonly seq: number
  readonly parent: string
}

/** Every alternative that is not shown. Of two with one seq, the one saved last. */
export async function listAlternatives(chat: ChatSession): Promise<Alternative[]> {
  const found = new Map<number, Alternative>()
  for (const { id, label } of await chat.listSnapshots()) {
    const [, seq, parent] = /^alternative (\d+) after (.+)$/.exec(label ?? '') ?? []
    if (seq !== undefined && parent !== undefined) found.set(Number(seq), { snapshot: id, seq: Number(seq), parent })
  }
  return [...found.values()]
}

/** Shows an alternative with everything that followed it. What is shown now becomes an alternative. */
export async function showAlternative(turn: ChatSession, seq: number): Promise<'shown' | 'not found'> {
  const history = await turn.getHistory()
  if (history.seqs.includes(seq)) return 'shown'
  const target = (await listAlternatives(turn)).find((alternative) => alternative.seq === seq)
  const index = history.findIndex(({ metadata }) => metadata?.parent === target?.parent)
  const shown = history.seqs[index]
  if (target === undefined || shown === undefined) return 'not found'
  await turn.saveSnapshot({ label: alternativeLabel(shown, target.parent) })
  await turn.rollbackToSnapshot(target.snapshot)
  await turn.deleteSnapshot(target.snapshot)
  return 'shown'
}
