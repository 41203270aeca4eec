import type { HistoryOptions } from '../../../../core/types.ts'
import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { pick } from '../../helpers/reshape.ts'

/** A goldfish whose `getHistory` is wrong for a page next to a seq. */
function onePage(
  ill: (sound: FullStore, session: string, options: HistoryOptions, seq: number) => ReturnType<FullStore['getHistory']>,
): NonNullable<Goldfish['store']> {
  return (sound) => ({
    async getHistory(session, options) {
      const { before, after } = options ?? {}
      const seq = before ?? after
      const isPage = options !== undefined && Number.isInteger(seq) && (before === undefined || after === undefined)
      return isPage ? ill(sound, session, options, Number(seq)) : sound.getHistory(session, options)
    },
  })
}

/** Pages with something missing, something twice, or from elsewhere. */
export const paging: Goldfish[] = [
  {
    name: 'page-repeats-its-edge',
    breaks: ['history.8'],
    story: 'The page before a turn ends with that turn. Scrolling up shows it twice.',
    store: onePage(async (sound, session, options, seq) => {
      const page = await sound.getHistory(session, options)
      if (options.before === undefined || options.last === undefined || page.length === 0) return page
      const edge = pick(await sound.getHistory(session, { at: options.at }), (_, one) => one === seq)
      const all = await sound.getHistory(session, { at: options.at })
      const shown = new Set([...page.seqs.slice(edge.length), ...edge.seqs])
      return pick(all, (_, one) => shown.has(one))
    }),
  },
  {
    name: 'pages-by-the-number',
    breaks: ['history.8'],
    story:
      'A page is everything with a smaller number. After a compaction, the summary has a higher number than what follows it, so it is on no page.',
    store: onePage(async (sound, session, options, seq) => {
      await sound.getHistory(session, options)
      const { first, last, before, at } = options
      const all = await sound.getHistory(session, { at })
      const side = pick(all, (_, one) => (before === undefined ? one > seq : one < seq))
      const from = last === undefined ? 0 : Math.max(0, side.length - last)
      return pick(side, (_, __, index) => index >= from && index < (first ?? side.length))
    }),
  },
  {
    name: 'lost-cursor-is-the-end',
    breaks: ['history.8'],
    story:
      'The turn that the page starts from was trimmed meanwhile. The page comes back empty, which looks like the end of the conversation.',
    store: onePage(async (sound, session, options) => {
      try {
        return await sound.getHistory(session, options)
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'SEQ_NOT_FOUND') throw error
        return sound.getHistory(session, { last: 0 })
      }
    }),
  },
  {
    name: 'page-before-begins-at-the-front',
    breaks: ['history.8'],
    story:
      'The page before a turn is taken from the wrong end: the first fifty turns of the conversation instead of the fifty before it.',
    store: onePage(async (sound, session, options) => {
      const { last, ...rest } = options
      const isBack = last !== undefined && options.before !== undefined
      return sound.getHistory(session, isBack ? { ...rest, first: last } : options)
    }),
  },
  {
    name: 'pages-mixed-up-without-a-word',
    breaks: ['history.8'],
    story: 'Asked for the first and the last at once, it silently takes the last.',
    store: (sound) => ({
      getHistory(session, options) {
        const { first, ...rest } = options ?? {}
        return sound.getHistory(session, first !== undefined && rest.last !== undefined ? rest : options)
      },
    }),
  },
]
