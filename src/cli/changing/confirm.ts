import { CannotRun, type Context } from '../command/run-command.ts'
import { ask, canAsk } from '../terminal/ask.ts'

/** What is about to happen: as a question, as the end of a sentence, and in detail. */
export interface Intent {
  readonly question: string
  readonly purpose: string
  readonly preview: string
}

/** Shows what is about to happen and asks, unless `yes`. Throws `CannotRun` unless the answer is yes. */
export async function confirm(
  { output, json, signal }: Context,
  { question, purpose, preview }: Intent,
  yes: boolean,
): Promise<void> {
  if (!json) await output.write(preview)
  if (yes) return
  if (!canAsk()) throw new CannotRun(`stdin is not a terminal; pass --yes to ${purpose}; nothing was changed`)
  if (json) process.stderr.write(preview)
  if (!(await ask(question, signal))) throw new CannotRun('nothing was changed')
}
