import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Whether stdin is a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Asks on stderr; anything but yes, including the end of the input, is a no. */
export async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  process.stderr.write(`${question} [y/N] `)
  const lines = createInterface({ input: process.stdin, terminal: false })
  try {
    const [answer] = (await Promise.race([once(lines, 'line', { signal }), once(lines, 'close', { signal })])) as [
      string?,
    ]
    return /^y(es)?$/i.test(answer?.trim() ?? '')
  } finally {
    lines.close()
    process.stdin.destroy()
  }
}
