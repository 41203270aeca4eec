import { same } from '../helpers/same.ts'
import { texts } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

export const concurrency: WrittenCase[] = [
  {
    level: 'core',
    id: 'adding.6/fifty-writers-at-once',
    clause: 'adding.6',
    title: 'fifty concurrent writers on two handles lose nothing, split no batch and keep their order',
    async run({ store, again }) {
      const handles = [store, await again()]
      const rounds = 6
      const burst = Array.from({ length: 300 }, (_, index) => `${index}`)
      await Promise.all(burst.map((content) => store.addMessages('burst', [{ role: 'user', content }])))
      same(new Set(texts(await store.getHistory('burst'))), new Set(burst), 'none of 300 writes under way is lost')
      same((await store.getHistory('burst')).length, 300)
      await Promise.all(
        Array.from({ length: 50 }, async (_, writer) => {
          for (let round = 0; round < rounds; round++) {
            const message = (part: number) => ({
              role: 'user' as const,
              content: `${writer}`,
              metadata: { round, part },
            })
            await handles[writer % 2]?.addMessages('s', [message(0), message(1), message(2)])
          }
        }),
      )
      const history = await store.getHistory('s')
      same(history.length, 50 * rounds * 3, 'how many turns are kept')
      same(
        history
          .filter((_, index) => index % 3 === 0)
          .map(({ content }, index) => history.slice(index * 3, index * 3 + 3).every((one) => one.content === content)),
        Array(50 * rounds).fill(true),
        'no batch is torn apart',
      )
      for (let writer = 0; writer < 50; writer++) {
        same(
          history
            .filter(({ content }) => content === `${writer}`)
            .map(({ metadata }) => [metadata?.['round'], metadata?.['part']]),
          Array.from({ length: rounds * 3 }, (_, index) => [Math.floor(index / 3), index % 3]),
          `the turns of writer ${writer}, in order`,
        )
      }
      same((await handles[1]?.getHistory('s'))?.length, history.length)
    },
  },
]
