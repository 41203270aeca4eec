import { setImmediate as tick } from 'node:timers/promises'
import type { EntryInput } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'

type Options = Parameters<FullStore['rewind']>[1]
type Replacement = Options & { entries: readonly EntryInput[] }

/** A goldfish whose rewinds are wrong where they put entries in place of what they cut, and are not repeated. */
function replacing(
  ill: (sound: FullStore, session: string, options: Replacement) => ReturnType<FullStore['rewind']>,
): NonNullable<Goldfish['store']> {
  const isIll = (options: Options): options is Replacement =>
    options?.operationId === undefined && Array.isArray(options?.entries)
  return (sound) => ({
    rewind: (session, options) => (isIll(options) ? ill(sound, session, options) : sound.rewind(session, options)),
  })
}

/** State and messages that are replaced together. */
export const replacements: Goldfish[] = [
  {
    name: 'replacement-has-messages-alone',
    breaks: ['rewinding.6'],
    story: 'The messages take the place of the old end. The state that belongs to them is left out.',
    store: replacing((sound, session, options) => {
      const isMessage = (entry: EntryInput | null) => entry?.kind === 'message' || entry?.kind === undefined
      if (options.add !== undefined || !options.entries.some(isMessage)) return sound.rewind(session, options)
      return sound.rewind(session, { ...options, entries: options.entries.filter(isMessage) })
    }),
  },
  {
    name: 'only-cut-messages-come-back',
    breaks: ['rewinding.6'],
    story: 'An undo puts back what was returned. Tool calls and state were cut as well, and nobody has them.',
    store: replacing(async (sound, session, options) => {
      const rewound = await sound.rewind(session, options)
      return { ...rewound, removed: rewound.removed.filter(({ kind }) => kind === 'message') }
    }),
  },
  {
    name: 'state-is-replaced-in-two-steps',
    breaks: ['rewinding.6'],
    story: 'The old state is cut, then the new one is added. Who reads in between finds an agent without any state.',
    races: 'rewinding.6/each-kept-or-returned',
    store: replacing(async (sound, session, options) => {
      const { entries, ...rest } = options
      const isStateWithAnswer = entries.length === 2
      if (options.add !== undefined || !isStateWithAnswer) return sound.rewind(session, options)
      const cut = await sound.rewind(session, rest)
      await tick()
      const { seqs, version, epoch } = await sound.addEntries(session, entries)
      return { ...cut, seqs, version, epoch }
    }),
  },
  {
    name: 'replaces-what-it-has-not-read',
    breaks: ['rewinding.6'],
    story: 'What it returns was read before the cut. A tool call recorded in between is cut and not returned.',
    store: replacing(async (sound, session, options) => {
      const known = new Set((await sound.getEntries(session)).map(({ seq }) => seq))
      const rewound = await sound.rewind(session, options)
      return { ...rewound, removed: rewound.removed.filter(({ seq }) => known.has(seq)) }
    }),
  },
]
