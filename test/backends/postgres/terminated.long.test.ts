import { test } from 'vitest'
import { onServer } from './on-server.ts'
import { writeThroughTerminations } from './under-fire.ts'

const on = onServer()

test.each(['url', 'pool'] as const)(
  'postgres.4: 500 terminated connections and 30 restarts under load bring nothing down: through a %s',
  async (through) => {
    await writeThroughTerminations(on.server, { terminations: 500, restarts: 30, through })
  },
)
