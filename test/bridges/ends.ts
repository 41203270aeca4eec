import type { MemoryStore } from 'unforget'
import { type Bridge, textsOf } from './bridges.ts'

/** The ends that a conversation has one after the other, after its first turn. */
export function endOf(number: number): string[] {
  return Array.from({ length: 1 + (number % 4) }, (_, index) => `end ${number} ${index}`)
}

/** Which end a conversation has; `undefined` if it is none of them, whole. */
export async function numberOfEnd(bridge: Bridge, memory: MemoryStore, id: string): Promise<number | undefined> {
  const texts = await textsOf(bridge, memory, id)
  const number = Number(texts.at(-1)?.split(' ')[1])
  const whole = ['question 0', 'answer 0', ...endOf(number)]
  return JSON.stringify(texts) === JSON.stringify(whole) ? number : undefined
}
