import type { CompactOptions } from '../../../core/types.ts'
import type { Goldfish } from '../goldfish.ts'

type Summarize = CompactOptions['summarize']

/** A goldfish that gets the summary of a compaction in its own way from the caller's function. */
export function summarizing(
  make: (summarize: Summarize, turns: Parameters<Summarize>[0]) => ReturnType<Summarize>,
): NonNullable<Goldfish['store']> {
  return (sound) => ({
    compact: (session, options) =>
      sound.compact(session, { ...options, summarize: (turns) => make(options.summarize, turns) }),
  })
}
