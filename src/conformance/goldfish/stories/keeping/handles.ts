import { InvalidEntryError } from '../../../../core/errors.ts'
import { uncheckedFormats } from '../../../../core/seal-entry.ts'
import type { History } from '../../../../core/types.ts'
import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { codeOf } from '../../helpers/code-of.ts'
import { overlay } from '../../helpers/overlay.ts'

/** Right by one way in, and wrong by another. */
export const handles: Goldfish[] = [
  {
    name: 'a-session-handle-remembers-its-first-look',
    breaks: ['adding.8'],
    story: 'The handle on a session keeps the history that it read first. What others add later is not there.',
    store: (sound) => ({
      session: ((id: string) => {
        const handle = sound.session(id)
        const seen = new Map<string, Promise<History>>()
        return overlay(handle, {
          getHistory: (options = {}) => {
            const name = JSON.stringify(options)
            const history = seen.get(name) ?? handle.getHistory(options)
            seen.set(name, history)
            return history
          },
        })
      }) as FullStore['session'],
    }),
  },
  {
    name: 'a-rewind-says-only-that-something-is-wrong',
    breaks: ['adding.7'],
    story:
      'One of the messages that replace the end is malformed. The error names the list, and not which one or where.',
    store: (sound) => ({
      rewind: (session, options) =>
        sound.rewind(session, options).catch((error: unknown) => {
          if (codeOf(error) !== 'INVALID_ENTRY') throw error
          throw new InvalidEntryError('add', (error as InvalidEntryError).reason)
        }),
    }),
  },
  {
    name: 'bytes-of-older-copies-are-left-out',
    breaks: ['transfer.2'],
    story:
      'Copies of the version before are read, all but their bytes: nobody had an old copy with an embedding at hand.',
    store: (sound) => ({
      importSession: (copy, options) => {
        const isOld = ({ format }: { format: number }) => format === uncheckedFormats.withBytes
        if (!Array.isArray(copy?.entries) || !copy.entries.some((one) => one !== null && isOld(one)))
          return sound.importSession(copy, options)
        const entries = copy.entries.map((one) =>
          isOld(one) ? { ...one, format: uncheckedFormats.plain, bytes: null } : one,
        )
        return sound.importSession({ ...copy, entries }, options)
      },
    }),
  },
]
